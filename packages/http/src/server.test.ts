import { request as sendRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from './server.ts'

it.each([
  [
    'an address that is too long',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'HTTP/1.1 431 ',
    '{"error":"Headers too large"}',
  ],
  // RFC 9112, section 3.2.
  [
    'a request of two hosts',
    'GET / HTTP/1.1\r\nHost: a.test\r\nhost: b.test\r\nconnection: close\r\n\r\n',
    'HTTP/1.1 400 ',
    '{"error":"Bad request"}',
  ],
  ['what is no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400 ', '{"error":"Bad request"}'],
])('answers %s with an error text and nothing else', async (_, request, head, body) => {
  const server = createServer({ trustedProxies: [] })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(request)
  const answer = await text(socket)
  expect(answer.startsWith(head)).toBe(true)
  expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true)
})

it('takes a request with an expectation that nobody knows', async () => {
  const server = createServer({ trustedProxies: [] })
  server.post('/', async () => ({ taken: true }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const request = sendRequest({
    port: (server.server.address() as AddressInfo).port,
    method: 'POST',
    headers: { expect: 'a-miracle' },
  })
  request.end('{}')
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  expect([answer.statusCode, await text(answer)]).toEqual([200, '{"taken":true}'])
})

it('answers a request that comes while the server closes', async () => {
  const server = createServer({ trustedProxies: [] })
  const isAnswered = Promise.withResolvers<void>()
  const closes = Promise.withResolvers<void>()
  server.addHook('preClose', async () => {
    closes.resolve()
    await isAnswered.promise
  })
  server.get('/', async () => ({ is: 'late' }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const closed = server.close()
  await closes.promise
  const request = sendRequest({ port }).end()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([200, 'close', '{"is":"late"}'])
  isAnswered.resolve()
  await closed
})
