import type { JsonSchema } from './compact-schema.ts'
import { bareSchema } from './inner-schema.ts'

/** Returns the same arguments, reduced to their types where another tool describes them already. */
export function withoutRepetition(schema: JsonSchema, said: JsonSchema): JsonSchema {
  const known = membersOf(said)
  const others = schema['additionalProperties'] as JsonSchema | undefined
  const isSaid = others && JSON.stringify(others) === JSON.stringify(said['additionalProperties'])
  const members = withMembers(schema, (name, argument) =>
    JSON.stringify(argument) === JSON.stringify(known[name]) ? bareSchema(argument) : argument,
  )
  return isSaid ? { ...members, additionalProperties: bareSchema(others) } : members
}

/** Returns the same arguments with each shared description only at the first of them, or nowhere where another tool has it. */
export function saidOnce(schema: JsonSchema, said: JsonSchema = {}): JsonSchema {
  const told = new Set(
    Object.values(membersOf(said))
      .filter(({ description }) => description !== undefined)
      .map((argument) => JSON.stringify(argument)),
  )
  return withMembers(schema, (_name, argument) => {
    const text = JSON.stringify(argument)
    const isTold = told.has(text)
    if (argument['description'] !== undefined) told.add(text)
    return isTold ? bareSchema(argument) : argument
  })
}

function withMembers(schema: JsonSchema, change: (name: string, argument: JsonSchema) => JsonSchema): JsonSchema {
  const members = Object.entries(membersOf(schema)).map(([name, argument]) => [name, change(name, argument)])
  return { ...schema, properties: Object.fromEntries(members) as Readonly<Record<string, JsonSchema>> }
}

function membersOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}
