import type { Operation, Resource } from '@crm/contract'

type Sent<Schema> = Schema extends { readonly _zod: { readonly input: infer Value } } ? Value : never
type Received<Schema> = Schema extends { readonly _zod: { readonly output: infer Value } } ? Value : never

/** A query parameter is text on the wire; numbers and booleans may be given as what they are. */
type Parameter<Value> = Value extends string
  ? string extends Value
    ? string | number
    : Value | (Value extends 'true' | 'false' ? boolean : never)
  : Value

type Parameters<Query> = { readonly [Name in keyof Query]: Parameter<Query[Name]> }

type CustomFieldFilters<O> = O extends { readonly customFields: string }
  ? { readonly [Name in `cf_${string}`]?: string | number | boolean }
  : unknown

/** A member that may be left out when all that it holds may be left out. */
type Member<Name extends string, Value> = object extends Value
  ? { readonly [N in Name]?: Value }
  : { readonly [N in Name]: Value }

type ParamsOf<O> = O extends { readonly params: infer Schema } ? Member<'params', Sent<Schema>> : unknown
type QueryOf<O> = O extends { readonly query: infer Schema }
  ? Member<'query', Parameters<Sent<Schema>> & CustomFieldFilters<O>>
  : unknown
/** A file goes as a form, or in the body where the operation has one. */
type BodyOf<O> = O extends { readonly upload: object }
  ? { readonly form: FormData } | JsonOf<O>
  : O extends { readonly body: unknown }
    ? JsonOf<O>
    : unknown
type JsonOf<O> = O extends { readonly body: infer Schema } ? Member<'body', Sent<Schema>> : never
/** One is made when none is given; give one to make a later call the same call. */
type KeyOf<O> = O extends { readonly idempotent: true } ? { readonly idempotencyKey?: string } : unknown

/** What a call of an operation is given. */
export type CallArguments<O extends Operation> = ParamsOf<O> &
  QueryOf<O> &
  BodyOf<O> &
  KeyOf<O> & { readonly signal?: AbortSignal }

type AlsoOf<O extends Operation> = O['reply'] extends { readonly also: { readonly body: infer Schema } }
  ? Received<Schema>
  : never

/** What a call of an operation gives: the body of its answer. */
export type CallReply<O extends Operation> = Received<O['reply']['body']> | AlsoOf<O>

/** The function that calls an operation. */
export type Call<O extends Operation> =
  object extends CallArguments<O>
    ? (args?: CallArguments<O>) => Promise<CallReply<O>>
    : (args: CallArguments<O>) => Promise<CallReply<O>>

/** A function for every operation, under the same names as in the contract. */
export type Client<Contract extends Readonly<Record<string, Resource>>> = {
  readonly [Name in keyof Contract]: {
    readonly [Key in keyof Contract[Name]['operations']]: Call<Contract[Name]['operations'][Key]>
  }
}
