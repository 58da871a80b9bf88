export type { Call, CallArguments, CallReply, Client } from './call-types.ts'
export { createCall, createClient, type CallOptions, type ClientOptions } from './client.ts'
export { ClientError } from './client-error.ts'
