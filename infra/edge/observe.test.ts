import { createLogger, createMetrics } from '@crm/runtime'
import { freePort, startProcess, eventually } from '@crm/testkit'
import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startEdge, type EdgeOptions } from './edge.ts'
import { observerOf } from './observe.ts'
import { routingTable } from './routes.ts'

/** Starts a deployable, and an edge that leads everything to it. */
async function edgeBefore(answer: RequestListener, options: Partial<EdgeOptions> = {}): Promise<number> {
  const server = createServer((request, response) =>
    request.url === '/readyz' ? void response.end() : answer(request, response),
  )
  server.on('upgrade', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.pipe(socket)
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const targets = Object.fromEntries(routingTable.services.map((name) => [name, target]))
  const edge = await startEdge({ targets, port: 0, ...options })
  onTestFinished(async () => {
    await edge.close()
    server.closeAllConnections()
    server.close()
  })
  return edge.port
}

async function get(port: number, path: string): Promise<{ readonly reply: IncomingMessage; readonly body: string }> {
  const request = sendRequest({ host: '127.0.0.1', port, path })
  request.end()
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  return { reply, body: await text(reply) }
}

it('measures every request, and logs the ones that it answers itself', async () => {
  const lines: string[] = []
  const logger = createLogger({ name: 'edge', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics('edge')
  const observer = observerOf(metrics, logger, 'prefix')
  const port = await edgeBefore((_request, response) => response.end('ok'), { observer, trustedProxies: ['loopback'] })
  // Only a request that never ends meets its deadline.
  const hasty = await edgeBefore(() => undefined, { observer, deadlines: { headersMs: 50 } })
  const request = sendRequest({
    host: '127.0.0.1',
    port,
    path: '/api/leads/secret-1',
    headers: { 'x-forwarded-for': '203.0.113.7' },
  }).end()
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  await text(reply)
  await get(port, '/metrics')
  await get(port, '/healthz')
  // It is answered by the server itself.
  const slow = connect({ host: '127.0.0.1', port: hasty })
  slow.write('GET /api/leads HTTP/1.1\r\n')
  slow.resume()
  await once(slow, 'close')
  const upgrade = connect({ host: '127.0.0.1', port })
  upgrade.write('GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  upgrade.resume()
  await once(upgrade, 'close')

  const figures = await metrics.render()
  const counted = (route: string, status: number): number =>
    Number(
      new RegExp(
        `^http_request_duration_seconds_count\\{(?=[^}]*route="${route}")(?=[^}]*status="${status}")[^}]*\\} (\\d+)$`,
        'm',
      ).exec(figures)?.[1] ?? 0,
    )
  expect([counted('/api/', 200), counted('none', 404), counted('/healthz', 200), counted('none', 408)]).toEqual([
    1, 2, 1, 1,
  ])
  expect(figures).toMatch(/^http_requests_in_flight\{service="edge"\} 0$/m)
  for (const [reason, n] of [
    ['NOT_FOUND', 2],
    ['REQUEST_TIMEOUT', 1],
  ] as const)
    expect(figures).toContain(`crm_refused_total{reason="${reason}",service="edge"} ${n}`)
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      msg: 'request',
      route: 'none',
      status: 404,
      method: 'GET',
      code: 'NOT_FOUND',
      bytesIn: 0,
    }),
    expect.objectContaining({ route: 'none', status: 408, code: 'REQUEST_TIMEOUT' }),
    expect.objectContaining({ route: 'none', status: 404, code: 'NOT_FOUND' }),
  ])
  expect(lines.join('')).not.toContain('secret-1')
})

it('tries a deployable with one address at most twice, however many kept connections it has closed', async () => {
  let hangsUp = false
  let tries = 0
  const known = new WeakSet<Socket>()
  const waiting: (() => void)[] = []
  const port = await edgeBefore(({ socket, url = '' }, response) => {
    tries += 1
    if (hangsUp && known.has(socket)) return socket.destroy()
    known.add(socket)
    if (!url.endsWith('/held')) return response.end('fresh')
    waiting.push(() => response.end('held'))
    if (waiting.length === 5) for (const end of waiting) end()
  })
  await Promise.all(Array.from({ length: 5 }, () => get(port, '/api/held')))
  hangsUp = true
  tries = 0
  expect((await get(port, '/api/leads')).body).toBe('fresh')
  expect(tries).toBe(2)
})

it('serves on while it is drained, and closes connections with their next answer', async () => {
  const [port, watchPort] = [await freePort(), await freePort()]
  const env = { PORT: String(port), WATCH_PORT: String(watchPort), DRAIN_SECONDS: '60' }
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const edge = await startProcess(main, { ...env, HOST: '127.0.0.1' }, { readyPort: watchPort })
  const at = (path: string) => fetch(`http://127.0.0.1:${watchPort}${path}`)
  expect((await at('/healthz')).status).toBe(200)
  expect(await (await at('/metrics')).text()).toContain('crm_build_info{version=')
  expect((await get(port, '/metrics')).reply.statusCode).toBe(404)
  const before = await get(port, '/nothing-here')
  expect(before.reply.headers.connection).toBe('keep-alive')
  process.kill(edge.pid, 'SIGTERM')
  await eventually(async () => expect((await at('/readyz')).status).toBe(503), { timeout: 30_000 })
  expect((await at('/healthz')).status).toBe(200)
  expect((await get(port, '/nothing-here')).reply.headers.connection).toBe('close')
  await edge.stop('SIGKILL')
})
