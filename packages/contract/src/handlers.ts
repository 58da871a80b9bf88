import { ApiError, type ErrorCode, type ErrorExtras } from '@crm/errors'
import * as z from 'zod'
import type { Operation, Resource } from './operation.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A file of a request, as its sender describes it. */
export interface IncomingFile {
  readonly name: string
  readonly contentType: string
  readonly content: AsyncIterable<Uint8Array>
}

/** The file of a request and the fields sent with it; nothing is read before the handler asks for it. */
export interface IncomingUpload<Fields> {
  /**
   * Passes the file on piece by piece as it arrives, then returns the fields sent with it. Throws for every fault of the request,
   * perhaps after the file was kept; the caller then deletes the file.
   */
  receive<T>(keep: (file: IncomingFile) => Promise<T>): Promise<{ readonly kept: T; readonly fields: Fields }>
  /** Does the same with one file after the other, where the operation takes several. */
  receiveAll<T>(
    keep: (file: IncomingFile, at: number) => Promise<T>,
  ): Promise<{ readonly kept: readonly T[]; readonly fields: Fields }>
}

type UploadOf<O extends Operation> = O extends { readonly upload: { readonly fields: infer Fields extends z.ZodType } }
  ? IncomingUpload<z.output<Fields>>
  : undefined

/** The input of an operation's handler: the checked path, query and body, or the upload in place of a body. */
export interface Input<O extends Operation> {
  readonly params: Parsed<O['params']>
  readonly query: Parsed<O['query']>
  readonly body: O extends { readonly upload: object } ? undefined : Parsed<O['body']>
  readonly upload: UploadOf<O>
  /** Custom-field filters as the caller sent them, for operations with `customFields`. */
  readonly customFieldFilters: ReadonlyMap<string, string>
}

/** An answer with another status than the operation's first one. */
export class StatusReply<Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

/** The answer of a list that is too large for memory: its first items, and later slices that are read while the answer is sent. */
export class InSlices<Body extends { readonly items: readonly unknown[] }> {
  /** The answer with the items of the first slice. */
  readonly body: Body
  /** Reads the slices that follow, one for each call. */
  readonly later: readonly (() => Promise<Body['items']>)[]

  constructor(body: Body, later: readonly (() => Promise<Body['items']>)[]) {
    this.body = body
    this.later = later
  }
}

type SlicesOf<Body> = Body extends { readonly items: readonly unknown[] } ? InSlices<Body> : never

/** An answer with bytes instead of JSON. */
export class BytesReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: AsyncIterable<Uint8Array>

  constructor(status: number, headers: Readonly<Record<string, string>>, content: AsyncIterable<Uint8Array>) {
    this.status = status
    this.headers = headers
    this.content = content
  }
}

/** Declares the reply of an operation that answers bytes; its handler returns a `BytesReply`. */
export function bytes<const MediaType extends string>(mediaType: MediaType) {
  return { status: 200, body: z.instanceof(BytesReply), mediaType } as const
}

type AlsoOf<O extends Operation> = O['reply'] extends { readonly also: { readonly body: infer Body extends z.ZodType } }
  ? StatusReply<z.input<Body>>
  : never

/** The return type of the operation's handler: the body of its reply as sent. */
export type ReplyOf<O extends Operation> =
  | z.input<O['reply']['body']>
  | SlicesOf<z.input<O['reply']['body']>>
  | AlsoOf<O>

/** Codes that any handler may answer with, besides the codes that its operation declares. */
export type CommonCode =
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'INVALID_REFERENCE'
  | 'INVALID_QUERY_PARAM'
  | 'VERSION_CONFLICT'
  | 'QUOTA_EXCEEDED'

type DeclaredCode<O extends Operation> = O extends { readonly errors: readonly (infer Code extends ErrorCode)[] }
  ? Code
  : never

/** Creates the error for a refusal; only codes that the operation declares compile. */
export type Refuse<Code extends ErrorCode> = (code: Code, extras?: ErrorExtras) => ApiError

/** The code that implements an operation. */
export type Handler<O extends Operation, Context> = (
  input: Input<O>,
  context: Context & { readonly refuse: Refuse<CommonCode | DeclaredCode<O>> },
) => Promise<ReplyOf<O>>

/** One handler for each operation of a resource. */
export type Handlers<R extends Resource, Context> = {
  readonly [Key in keyof R['operations']]: Handler<R['operations'][Key], Context>
}

/** A resource together with its handlers. */
export interface Implemented<R extends Resource = Resource, Context = never> {
  readonly resource: R
  readonly handlers: Handlers<R, Context>
}

/** Returns `implement` for one kind of request context; the declaration alone decides the types of the handlers. */
export function implementFor<Context>() {
  return <R extends Resource>(resource: R, handlers: NoInfer<Handlers<R, Context>>): Implemented<R, Context> => ({
    resource,
    handlers,
  })
}

/** An implementation of every resource of a contract; a missing one does not compile. */
export type Service<Contract extends Readonly<Record<string, Resource>>, Context> = {
  readonly [Key in keyof Contract]: Implemented<Contract[Key], Context>
}

/** The `refuse` function that every handler receives. */
export const refuse: Refuse<ErrorCode> = (code, extras) => new ApiError(code, extras)
