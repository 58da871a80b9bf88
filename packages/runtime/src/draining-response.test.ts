import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { DrainingResponse } from './draining-response.ts'

async function serverThat(answer: (response: ServerResponse) => void): Promise<number> {
  const server = createServer({ ServerResponse: DrainingResponse }, (_request, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const large = 'x'.repeat(8_000_000)
const small = 'x'.repeat(60_000)
const post = (more = '', body = large): string =>
  `POST / HTTP/1.1\r\nhost: x\r\n${more}content-length: ${body.length}\r\n\r\n`

it.each([
  [
    'a text',
    (response: ServerResponse) => void ((response.statusCode = 413), response.end('too large')),
    'HTTP/1.1 413 ',
    'too large',
  ],
  ['bytes', (response: ServerResponse) => void response.end(Buffer.from('ü')), 'HTTP/1.1 200 ', 'ü'],
  ['nothing', (response: ServerResponse) => void ((response.statusCode = 401), response.end()), 'HTTP/1.1 401 ', ''],
  ['no content', (response: ServerResponse) => void response.writeHead(204).end(), 'HTTP/1.1 204 ', ''],
])(
  'lets %s arrive at a client that is still sending, and closes without a reset',
  async (_what, answer, begins, ends) => {
    const port = await serverThat(answer)
    const socket = connect(port, '127.0.0.1')
    socket.write(post('connection: close\r\n'))
    socket.write(large)
    const answered = await text(socket)
    expect(answered.startsWith(begins)).toBe(true)
    expect(answered.endsWith(`\r\n\r\n${ends}`)).toBe(true)
  },
)

it('answers before a small body is there, and takes the next request after it', async () => {
  let answered = 0
  const port = await serverThat((response) => response.end(`answer ${++answered}`))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  socket.write(post('', small))
  await expect.poll(() => received).toContain('answer 1')
  socket.write(small)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => received).toContain('answer 2')
})

it('counts as ended once it is, and calls back when the body is over', async () => {
  const isDone = Promise.withResolvers<void>()
  const seen: boolean[] = []
  const port = await serverThat((response) => {
    seen.push(response.writableEnded)
    response.end('once', () => isDone.resolve())
    response.end('twice')
    seen.push(response.writableEnded)
  })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(post())
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/once$/)
  socket.write(large)
  await isDone.promise
  expect(seen).toEqual([false, true])
})

it('says that the connection closes after a large body, and cuts one that nobody throws away to its end', async () => {
  const port = await serverThat((response) => response.end('no'))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/\r\nconnection: close\r\n/i)
  const cut = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  socket.on('error', () => undefined)
  for (let n = 0; n < 100 && !socket.destroyed; n++) {
    if (!socket.write(Buffer.alloc(1_000_000))) await Promise.race([once(socket, 'drain').catch(() => undefined), cut])
  }
  await cut
})
