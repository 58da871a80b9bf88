import { request } from 'node:http'

/** The answer of a process; `body` is parsed if it is JSON. */
export interface ProcessAnswer {
  readonly status: number
  // The assertions of the tests describe the contents of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** The target and the sender of a request. */
export interface ProcessCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** The Host header, which fetch does not let us choose. */
  readonly host: string
  /** The guest's address, as a proxy reports it. */
  readonly address?: string
  readonly body?: object
}

/** Sends one request to a process over a connection of its own. */
export function callProcess(
  url: string,
  { method = 'POST', path, host, address = '198.51.100.1', body }: ProcessCall,
): Promise<ProcessAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', 'x-forwarded-for': address }
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text }),
      )
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
