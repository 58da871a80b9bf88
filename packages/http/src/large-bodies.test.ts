import Fastify from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { takeLargeBodiesInTurn } from './large-bodies.ts'
import { answerNowhere, createServer } from './server.ts'

const aMegabyteAndMore = JSON.stringify({ text: 'a'.repeat(1_500_000) })

/** Starts a server whose answers wait until the test releases them. */
async function slowServer() {
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024, forceCloseConnections: true })
  takeLargeBodiesInTurn(app)
  const work = { now: 0, most: 0, letGo: Promise.withResolvers<void>() }
  app.post('/', async () => {
    work.most = Math.max(work.most, ++work.now)
    await work.letGo.promise
    work.now -= 1
    return {}
  })
  app.post('/quick', async () => ({}))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const post = (body: string, { path = '/', signal }: { path?: string; signal?: AbortSignal } = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      ...(signal ? { signal } : {}),
    }).then(
      ({ status }) => status,
      () => 'gone',
    )
  return { work, post, port: (app.server.address() as AddressInfo).port }
}

/** Announces a body without sending it. */
function announce(port: number, head: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n`)
  return socket
}

it.each([
  ['above a megabyte', 1_500_000, 2],
  ['above 64 KB', 100_000, 16],
])(
  'takes bodies %s so many at once, all of them in the end, and small ones without waiting',
  async (_what, length, atOnce) => {
    const { work, post } = await slowServer()
    const answers = Array.from({ length: atOnce + 3 }, () => post(JSON.stringify({ text: 'a'.repeat(length) })))
    await expect.poll(() => work.now).toBe(atOnce)
    expect(await post('{}', { path: '/quick' })).toBe(200)
    work.letGo.resolve()
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect(work.most).toBe(atOnce)
  },
)

it('gives the turn on when senders go away, whether they waited or not', async () => {
  const { work, post } = await slowServer()
  const leaving = new AbortController()
  const left = Array.from({ length: 6 }, () => post(aMegabyteAndMore, leaving))
  await expect.poll(() => work.now).toBe(2)
  leaving.abort()
  expect(new Set(await Promise.all(left))).toEqual(new Set(['gone']))
  expect(await post(aMegabyteAndMore, { path: '/quick' })).toBe(200)
  work.letGo.resolve()
})

it('hangs up on who announces a large body and does not send it', async () => {
  const { work, post, port } = await slowServer()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const silent = [announce(port, 'POST /'), announce(port, 'POST /')]
  const closed = Promise.all(silent.map((socket) => once(socket, 'close')))
  await expect.poll(() => vi.getTimerCount()).toBe(silent.length)
  vi.advanceTimersByTime(60_000)
  await closed
  work.letGo.resolve()
  expect(await post(aMegabyteAndMore)).toBe(200)
})

it('answers what no route has before its body is there', async () => {
  const app = createServer({ trustedProxies: [] })
  answerNowhere(app, (_request, reply) => reply.code(404).send({ code: 'NOT_FOUND' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const socket = announce((app.server.address() as AddressInfo).port, 'POST /nowhere')
  onTestFinished(() => void socket.destroy())
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 404 [^]*\{"code":"NOT_FOUND"\}$/)
})
