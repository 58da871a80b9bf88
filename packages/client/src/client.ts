import type { Operation, Resource } from '@crm/contract'
import type { Call, Client } from './call-types.ts'
import { ClientError } from './client-error.ts'
import { readAnswer } from './answer.ts'
import { requestOf, type AnyArguments, type Target } from './request.ts'
import { planRetry } from './retry.ts'

/** The options of calls, and their destination. */
export interface CallOptions extends Target {
  /** The `fetch` to use; the platform's own by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The number of repeated attempts after a failure; 2 by default. */
  readonly retries?: number
  /** Waits between two attempts; with a timer by default. */
  readonly wait?: (pauseMs: number, signal?: AbortSignal) => Promise<void>
}

export interface ClientOptions<Contract extends Readonly<Record<string, Resource>>> extends CallOptions {
  readonly contract: Contract
}

/**
 * Makes a typed client of an API: `client.leads.create({ body })`, with the names and types of the contract.
 *
 * @throws {ClientError} from every call that is refused or gets no answer
 */
export function createClient<const Contract extends Readonly<Record<string, Resource>>>(
  options: ClientOptions<Contract>,
): Client<Contract> {
  const callsOf = ({ operations }: Resource) =>
    Object.fromEntries(Object.entries(operations).map(([key, operation]) => [key, createCall(operation, options)]))
  const resources = Object.fromEntries(
    Object.entries(options.contract).map(([name, resource]) => [name, callsOf(resource)]),
  )
  return resources as unknown as Client<Contract>
}

/**
 * Makes the function that calls one operation: `createCall(leads.operations.create, options)`.
 *
 * @throws {ClientError} from every call that is refused or gets no answer
 */
export function createCall<const O extends Operation>(operation: O, options: CallOptions): Call<O> {
  return ((args?: AnyArguments) => call(operation, args ?? {}, options)) as Call<O>
}

async function call(operation: Operation, args: AnyArguments, options: CallOptions): Promise<unknown> {
  const { fetch = (url, init) => globalThis.fetch(url, init), retries = 2, wait = waitByTimer } = options
  const { url, init } = requestOf(operation, args, options)
  for (let attempt = 0; ; attempt++) {
    const { error, body, retryAfter } = await attemptOnce(operation, () => fetch(url, init), args.signal)
    if (!error) return body
    const pauseMs = attempt < retries ? planRetry(error, operation, { attempt, retryAfter }) : null
    if (pauseMs === null) throw error
    await wait(pauseMs, args.signal)
  }
}

interface Outcome {
  readonly error: ClientError | null
  readonly body?: unknown
  readonly retryAfter: string | null
}

/** Makes one attempt; a cancellation by the caller is no failure of the service, so its abort is rethrown unchanged. */
async function attemptOnce(
  { reply }: Operation,
  send: () => Promise<Response>,
  signal?: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await send()
    return { ...(await readAnswer(response, reply)), retryAfter: response.headers.get('retry-after') }
  } catch (cause) {
    if (signal?.aborted) throw cause
    return { error: new ClientError(0, undefined, { cause }), retryAfter: null }
  }
}

function waitByTimer(pauseMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, pauseMs)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
