/** Returns a value of an object by a name that comes from outside; what every object inherits, such as `constructor`, is none. */
export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
