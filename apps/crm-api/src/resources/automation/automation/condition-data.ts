/** Returns the data for the conditions of an event: the fields of the record at the top, under `data`, and under `trigger`. */
export function conditionData(change: unknown): Readonly<Record<string, unknown>> {
  const { data } = Object(change) as { readonly data?: unknown }
  return { ...Object(data), ...Object(change), trigger: change }
}
