import type { PersonField } from '@crm/model'

/** Returns the patch by which a record of one person becomes another one's: each field that names the one names the other. */
export function planHandOver(
  current: object,
  fields: readonly PersonField[],
  from: string,
  to: string,
): Readonly<Record<string, unknown>> {
  const now = current as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    fields.flatMap(({ name, isList }): [string, unknown][] => {
      const value = now[name]
      if (!isList) return value === from ? [[name, to]] : []
      const people = (value ?? []) as readonly string[]
      if (!people.includes(from)) return []
      return [[name, [...new Set(people.map((person) => (person === from ? to : person)))]]]
    }),
  )
}
