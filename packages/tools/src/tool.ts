import type { Access, Method } from '@crm/contract'
import type { JsonSchema } from './compact-schema.ts'
import type { Reading } from './read-arguments.ts'
import type { ShortAnswer } from './short-answers.ts'

/** The hints for a client about a tool's effects. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** The destinations of a tool's arguments in its HTTP request. */
export interface ToolRoute {
  readonly method: Method
  readonly path: string
  /** The argument for each `{name}` of the path. */
  readonly pathArguments: Readonly<Record<string, string>>
  /** The arguments for the query, with the names of their parameters. */
  readonly queryArguments: Readonly<Record<string, string>>
  /** `members`: all other arguments are members of the body; `whole`: the argument `body` is it; `none`: all others go into the query. */
  readonly body: 'members' | 'whole' | 'none'
  readonly takesIdempotencyKey: boolean
  /** Whether the argument `clear` names members of the body to make null. */
  readonly takesClear: boolean
}

/** One operation of the API as a tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The description for use without other tools beside it. */
  readonly fullDescription: string
  readonly inputSchema: JsonSchema
  /** The same with known words, formats and every description. */
  readonly fullSchema: JsonSchema
  readonly reading: Reading
  readonly outputSchema?: JsonSchema
  readonly annotations: ToolAnnotations
  /** The group of tools to which a client can narrow the list, such as `leads`. */
  readonly toolset: string
  readonly access: Access
  /** The permissions that the operation itself names. */
  readonly permissions: readonly string[]
  /** Any one of these permissions offers the tool; empty: any credential with a scope. */
  readonly offeredBy: readonly string[]
  readonly route: ToolRoute
  /** Whether the tool is the summary of a list, whose filters it accepts. */
  readonly isSummary: boolean
  /** Whether it answers bytes instead of JSON. */
  readonly answersFile: boolean
  /** The parameters that a call adds for a short answer. */
  readonly short: ShortAnswer
  /** Makes the result from the API's answer, where the two differ. */
  readonly reshape?: (answer: unknown) => Readonly<Record<string, unknown>>
}

/** Returns the part of a tool that clients see. */
export function toolDescriptor({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): Readonly<Record<string, unknown>> {
  return { name, title, description, inputSchema, ...(outputSchema ? { outputSchema } : {}), annotations }
}
