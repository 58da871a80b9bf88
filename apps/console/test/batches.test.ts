import { eventually } from '@crm/testkit'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inBatches } from '../web/src/base/batches.ts'

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const arrived: Arrived[] = []
const server = createServer((request, response) => void arrived.push({ request, response }))
let address = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends reads of one moment, all of them in one request, and returns that request as it arrived. */
async function sendTogether(signals: readonly (AbortSignal | undefined)[]) {
  const send = inBatches((url, init) => fetch(address + url, init), 0)
  const before = arrived.length
  const answers = signals.map((signal, at) => send(`/api/${at}`, signal ? { signal } : {}))
  for (const answer of answers) answer.catch(() => undefined)
  await eventually(() => expect(arrived).toHaveLength(before + 1))
  return { answers, ...arrived[before]! }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const reads = (...bodies: readonly unknown[]) => ({ answers: bodies.map((body) => ({ status: 200, body })) })

describe('reads of one moment', () => {
  it('each get their own answer', async () => {
    const { answers, request, response } = await sendTogether([undefined, undefined])
    expect(`${request.method} ${request.url}`).toBe('POST /api/batch')
    answer(response, 200, reads('first', 'second'))
    const bodies = await Promise.all(answers.map(async (one) => (await one).json()))
    expect(bodies).toEqual(['first', 'second'])
  })

  it('all get the refusal of their batch', async () => {
    const { answers, response } = await sendTogether([undefined, undefined])
    answer(response, 503, { code: 'SERVICE_UNAVAILABLE' })
    for (const one of await Promise.all(answers)) {
      expect(one.status).toBe(503)
      expect(await one.json()).toEqual({ code: 'SERVICE_UNAVAILABLE' })
    }
  })

  it('go on when one reader leaves', async () => {
    const leaving = new AbortController()
    const { answers, response } = await sendTogether([leaving.signal, new AbortController().signal])
    leaving.abort()
    await expect(answers[0]).rejects.toThrow('aborted')
    answer(response, 200, reads('first', 'second'))
    expect(await (await answers[1]!).json()).toBe('second')
  })

  it('end when every reader has left, and give their connection back', async () => {
    const leaving = [new AbortController(), new AbortController()]
    const { response } = await sendTogether(leaving.map(({ signal }) => signal))
    for (const one of leaving) one.abort()
    await once(response, 'close')
    expect(response.writableFinished).toBe(false)
  })
})
