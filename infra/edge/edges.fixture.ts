// Every edge that can run on this machine, in front of the same deployables.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { freePort, isListening } from '../local/ports.ts'
import { findProgram } from '../local/programs.ts'
import { startEdge } from './edge.ts'
import { edgeFor } from './generate.ts'
import type { Target } from './health.ts'
import { routingTable } from './routes.ts'

/** A running edge. */
export interface RunningEdge {
  readonly port: number
  close(): Promise<void>
}

export interface EdgeSetting {
  /** The processes of each deployable. */
  readonly targets: Readonly<Record<string, readonly Target[]>>
  /** The addresses of proxies in front. */
  readonly trustedProxies?: readonly string[]
}

const searched = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`
const nginx = findProgram(['nginx'], searched)
const caddy = process.env['CADDY'] ?? findProgram(['caddy'], searched)

type Start = (setting: EdgeSetting) => Promise<RunningEdge>

/** The edges by name: the one of this project, and those whose program is installed. */
export const edges: Readonly<Record<string, Start>> = {
  ours: ({ targets, trustedProxies = [] }) => startEdge({ targets, port: 0, trustedProxies }),
  ...(nginx === undefined ? {} : { nginx: (setting: EdgeSetting) => startNginx(nginx, setting) }),
  ...(caddy === undefined ? {} : { caddy: (setting: EdgeSetting) => startCaddy(caddy, setting) }),
}

/** The service that answers `/healthz` behind a generated edge. */
async function withHealth(
  { targets, trustedProxies = [] }: EdgeSetting,
  start: (addresses: Readonly<Record<string, readonly string[]>>) => Promise<RunningEdge>,
): Promise<RunningEdge> {
  const health = await startEdge({ targets, port: 0, trustedProxies: ['127.0.0.1/32', ...trustedProxies] })
  const addresses = Object.fromEntries(
    [...routingTable.services, 'edge'].map((name) => [
      name,
      name === 'edge' ? [`127.0.0.1:${health.port}`] : (targets[name] ?? []).map(({ host, port }) => `${host}:${port}`),
    ]),
  )
  const edge = await start(addresses)
  return { port: edge.port, close: async () => void (await Promise.all([edge.close(), health.close()])) }
}

export function startNginx(program: string, setting: EdgeSetting): Promise<RunningEdge> {
  return withHealth(setting, async (upstreams) => {
    const dir = mkdtempSync(join(tmpdir(), 'crm-nginx-'))
    const port = await freePort()
    const trusted = (setting.trustedProxies ?? []).map((address) => `set_real_ip_from ${address};\n`).join('')
    writeFileSync(join(dir, 'trusted-proxies.conf'), trusted)
    const file = edgeFor('nginx', { upstreams })
      .replace('listen 8080;', `listen 127.0.0.1:${port};`)
      .replace('listen [::]:8080;', '')
      .replace('/etc/nginx/trusted-proxies*.conf', `${dir}/trusted-proxies*.conf`)
    const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    for (const part of parts) mkdirSync(join(dir, part))
    const temporary = parts.map((part) => `${part}_temp_path ${dir}/${part};`).join(' ')
    const config = join(dir, 'nginx.conf')
    writeFileSync(
      config,
      `daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log; events { worker_connections 1024; }\nhttp { access_log off; ${temporary}\n${file}\n}\n`,
    )
    return startProgram(program, ['-p', dir, '-e', `${dir}/error.log`, '-c', config], dir, port)
  })
}

function startCaddy(program: string, setting: EdgeSetting): Promise<RunningEdge> {
  return withHealth(setting, async (upstreams) => {
    const dir = mkdtempSync(join(tmpdir(), 'crm-caddy-'))
    const port = await freePort()
    const config = join(dir, 'Caddyfile')
    writeFileSync(config, edgeFor('caddy', { upstreams }))
    return startProgram(program, ['run', '--adapter', 'caddyfile', '--config', config], dir, port, {
      SITE: `:${port}`,
      ...(setting.trustedProxies?.length ? { TRUSTED_PROXIES: setting.trustedProxies.join(' ') } : {}),
      XDG_DATA_HOME: dir,
      XDG_CONFIG_HOME: dir,
    })
  })
}

async function startProgram(
  program: string,
  args: readonly string[],
  dir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningEdge> {
  let said = ''
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(child, 'exit')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`)
    await waitMs(20)
  }
  return {
    port,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
