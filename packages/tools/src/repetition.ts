import type { JsonSchema } from './compact-schema.ts'

/** The same arguments without what another tool says of them already: only their types are left. */
export function withoutRepetition(schema: JsonSchema, said: JsonSchema): JsonSchema {
  const known = membersOf(said)
  const members = Object.entries(membersOf(schema)).map(([name, argument]) => [
    name,
    JSON.stringify(argument) === JSON.stringify(known[name]) ? bare(argument) : argument,
  ])
  return { ...schema, properties: Object.fromEntries(members) as Readonly<Record<string, JsonSchema>> }
}

function membersOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}

function bare({ type, items }: JsonSchema): JsonSchema {
  return items === undefined ? { type } : { type, items: bare(items as JsonSchema) }
}
