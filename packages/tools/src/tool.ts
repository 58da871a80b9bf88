import type { Access, Method } from '@crm/contract'
import type { JsonSchema } from './compact-schema.ts'
import type { Reading } from './read-arguments.ts'
import type { ShortAnswer } from './short-answers.ts'

/** What a client may expect of a tool before it calls it. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

/** Where the arguments of a tool go in its HTTP request. */
export interface ToolRoute {
  readonly method: Method
  readonly path: string
  /** The argument that fills each `{name}` of the path. */
  readonly pathArguments: Readonly<Record<string, string>>
  /** The arguments that become query parameters, with the parameter's name. */
  readonly queryArguments: Readonly<Record<string, string>>
  /** `members`: all other arguments are members of the body; `whole`: the argument `body` is it; `none`: all others go into the query. */
  readonly body: 'members' | 'whole' | 'none'
  readonly takesIdempotencyKey: boolean
}

/** One operation of the API as a tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The same where no other tool stands beside it. */
  readonly fullDescription: string
  readonly inputSchema: JsonSchema
  /** The same with known words, formats and every description. */
  readonly fullSchema: JsonSchema
  readonly reading: Reading
  readonly outputSchema?: JsonSchema
  readonly annotations: ToolAnnotations
  /** The group that a client can narrow the list to, such as `leads`. */
  readonly toolset: string
  readonly access: Access
  /** The permissions that the operation itself names. */
  readonly permissions: readonly string[]
  /** Holding any one of these offers the tool; empty: any credential with a scope. */
  readonly offeredBy: readonly string[]
  readonly route: ToolRoute
  /** Whether it is the summary of a list, whose filters it takes. */
  readonly isSummary: boolean
  /** Whether it answers bytes instead of JSON. */
  readonly answersFile: boolean
  /** What a call adds where answers are to be short. */
  readonly short: ShortAnswer
  /** Makes the result out of the API's answer, where it is not that answer itself. */
  readonly reshape?: (answer: unknown) => Readonly<Record<string, unknown>>
}

/** The part of a tool that clients see. */
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
