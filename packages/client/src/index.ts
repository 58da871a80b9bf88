export type { Bytes, Call, CallArguments, CallReply, Client } from './call-types.ts'
export { createCall, createClient, type CallOptions, type ClientOptions } from './client.ts'
export { ClientError, type AnyErrorCode } from './client-error.ts'
