export type { Call, CallArguments, CallReply, Client } from './call-types.ts'
export { createClient, type ClientOptions } from './client.ts'
export { ClientError } from './client-error.ts'
