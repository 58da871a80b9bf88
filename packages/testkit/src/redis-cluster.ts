import { Redis } from 'ioredis'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { requireRedisProgram } from '../../../infra/local/test-services.ts'
import { afterThisFile } from './cleanup.ts'
import { freePort } from './ports.ts'

/** A Redis cluster that belongs to one test file. */
export interface TestRedisCluster {
  /** Connection string with all nodes. */
  readonly url: string
  /** A connection to each node. */
  readonly nodes: readonly Redis[]
}

const password = 'a password of the tests'
const slots = 16_384
const nodesMax = 3

interface Node {
  readonly node: Redis
  readonly port: number
  /** The port for the other nodes. */
  readonly busPort: number
}

/** Starts a cluster of three nodes, which ends after the calling test file. */
export async function startRedisCluster(): Promise<TestRedisCluster> {
  const started = await Promise.all(Array.from({ length: nodesMax }, startNode))
  for (const [at, { node }] of started.entries()) {
    const [from = 0, to = 0] = [at, at + 1].map((part) => Math.floor((slots * part) / nodesMax))
    await node.cluster('ADDSLOTSRANGE', from, to - 1)
  }
  const nodes = started.map(({ node }) => node)
  for (const { port, busPort } of started.slice(1)) await nodes[0]?.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
  await eventually(
    async () => {
      const states = await Promise.all(nodes.map((node) => node.cluster('INFO').then(String)))
      expect(states.every((state) => state.includes('cluster_state:ok'))).toBe(true)
    },
    { timeout: 60_000 },
  )
  const places = started.map(({ port }) => `127.0.0.1:${port}`)
  return { url: `redis+cluster://:${encodeURIComponent(password)}@${places.join()}`, nodes }
}

async function startNode(): Promise<Node> {
  const dir = mkdtempSync(join(tmpdir(), 'crm-test-cluster-'))
  const [port, busPort] = [await freePort(), await freePort()]
  const settings = { port, 'cluster-port': busPort, bind: '127.0.0.1', dir, save: '', requirepass: password }
  const flags = Object.entries({ ...settings, masterauth: password, 'cluster-enabled': 'yes' }).flatMap(
    ([name, value]) => [`--${name}`, String(value)],
  )
  const child = spawn(await requireRedisProgram(), flags, { stdio: 'ignore' })
  const node = new Redis({ host: '127.0.0.1', port, password })
  // It answers a moment after its start.
  node.on('error', () => undefined)
  afterThisFile(async () => {
    node.disconnect()
    const ended = once(child, 'exit')
    child.kill()
    await ended
    rmSync(dir, { recursive: true })
  })
  return { node, port, busPort }
}
