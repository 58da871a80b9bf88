import { request } from 'node:http'

/** What a process answered; `body` is parsed when it is JSON. */
export interface ProcessAnswer {
  readonly status: number
  // The tests say by their assertions what an answer holds.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Where a request goes, as whom. */
export interface ProcessCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** A Host of our choice, which fetch does not allow. */
  readonly host: string
  /** The address of the guest, as a proxy tells it. */
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
