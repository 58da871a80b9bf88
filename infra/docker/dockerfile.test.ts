import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routingTable } from '../edge/routes.ts'
import { databaseRoles } from '../local/roles.ts'
import { nodeEnv } from '../node-flags.ts'
import { basesOf, buildArgs, pinned, releaseArgs, type Images } from './digests.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

it('images run with the memory that npm start gives', () => {
  const dockerfile = read('Dockerfile')
  const commands = [...dockerfile.matchAll(/^CMD (.+)$/gm)].map(([, command]) => command)
  expect(commands).toEqual(
    ['infra/edge/bundle/main.js', 'main.js'].map((main) =>
      JSON.stringify(['sh', '-c', `exec node $(node infra/node-flags.ts) ${main}`]).replaceAll('","', '", "'),
    ),
  )
  for (const [name, value] of Object.entries(nodeEnv)) expect(dockerfile).toContain(`${name}=${value}`)
  for (const text of [dockerfile, read('../../docker-compose.yml')]) expect(text).not.toMatch(/--(max|min|no|memory)-/)
})

it('every service of docker-compose.yml has an image of its own, and takes no file from the checkout', () => {
  const compose = read('../../docker-compose.yml')
  const builds = [...compose.matchAll(/^ {4}build: (.+)$/gm)].map(([, build]) => build)
  expect(builds.length).toBe(routingTable.services.length + 2)
  expect(new Set(builds).size).toBe(builds.length)
  const mounts = [...compose.matchAll(/volumes: \['([^:']*)/g)].map(([, from]) => from)
  expect(mounts.filter((from) => !/^\w+$/.test(from ?? ''))).toEqual([])
  expect(compose).not.toContain("command: ['node")
})

const rolePasswords = databaseRoles.map((role) => `ROLE_PASSWORD_${role.toUpperCase()}`)

it('each role signs in with a password of its own, which the migration gives it', () => {
  const compose = read('../../docker-compose.yml')
  const used = [...compose.matchAll(/postgres:\/\/(crm_(?!owner)\w+):\$\{(\w+):\?/g)].map(([, role, name]) => [
    role,
    name,
  ])
  expect(used).toEqual(databaseRoles.map((role, at) => [role, rolePasswords[at]]))
  for (const name of rolePasswords)
    expect(compose.match(new RegExp(`^ +${name}: \\$\\{${name}:\\?`, 'gm'))).toHaveLength(1)
  const manifest = read('../k8s/base/migrate.yaml')
  for (const name of rolePasswords) expect(manifest).toContain(`- name: ${name}\n`)
})

it('docker-compose.yml publishes no secret: each is asked for', () => {
  const secrets = [...read('../../docker-compose.yml').matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g)]
  expect(new Set(secrets.map(([, name]) => name))).toEqual(
    new Set(['POSTGRES_PASSWORD', ...rolePasswords, 'RUN_TOKEN_SECRET', 'SECRETS_KEY']),
  )
  for (const [, name, rest] of secrets) expect([name, rest]).toEqual([name, expect.stringMatching(/^:\?./)])
})

it('docker-compose.yml passes on what may be missing, and gives it no empty value: podman-compose takes such a value for a text', () => {
  expect(read('../../docker-compose.yml')).not.toMatch(/:-\}/)
})

it('new-env makes every secret once, for its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (): string => {
    const { status, stderr } = spawnSync(fileURLToPath(new URL('new-env', import.meta.url)), [folder], {
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    said = stderr
    return readFileSync(join(folder, '.env'), 'utf8')
  }
  let said = ''
  const written = write()
  expect(written).toMatch(
    new RegExp(
      `^${['POSTGRES_PASSWORD', ...rolePasswords, 'RUN_TOKEN_SECRET'].map((name) => `${name}=[0-9a-f]{48}\n`).join('')}SECRETS_KEY=[\\w+/]{43}=\n$`,
    ),
  )
  expect(new Set(written.split('\n').map((line) => line.split('=')[1])).size).toBe(written.split('\n').length)
  expect([write(), said, statSync(join(folder, '.env')).mode & 0o777]).toEqual([written, '', 0o600])

  // A file that others may read stays as it is, and is named.
  chmodSync(join(folder, '.env'), 0o640)
  expect([write(), statSync(join(folder, '.env')).mode & 0o777]).toEqual([written, 0o640])
  expect(said).toContain('chmod 600 .env')
})

it('a release gives its images every argument that their labels take', () => {
  const args = releaseArgs({ version: '1.2.3', revision: 'abc', created: '2026-03-01T08:00:00Z' })
  expect(args).toBe('--build-arg VERSION=1.2.3 --build-arg REVISION=abc --build-arg CREATED=2026-03-01T08:00:00Z')
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .filter((stage) => stage.includes('LABEL'))
  expect(stages).toHaveLength(2)
  for (const stage of stages)
    for (const [, name] of args.matchAll(/(\w+)=/g))
      expect(stage).toMatch(new RegExp(`^ARG ${name}=[^]*LABEL[^]*\\$\\{${name}\\}`, 'm'))
})

it('packages are installed once, and nothing that differs from image to image comes before it', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile.match(/npm ci/g)).toHaveLength(1)
  const [, installing = ''] = /^FROM \S+ AS dependencies\n([^]*?)^FROM /m.exec(dockerfile) ?? []
  expect(installing).toContain('npm ci')
  expect(installing).not.toContain('ARG')
})

describe('the base images of a release', () => {
  const digest = `sha256:${'5'.repeat(64)}`
  const listen = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('are every image that the Dockerfile begins a stage with', () => {
    const dockerfile = read('Dockerfile')
    expect(basesOf(dockerfile)).toEqual({ NODE_IMAGE: 'node:26-slim' })
    const stages = new Set([...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage))
    const others = [...dockerfile.matchAll(/^FROM (\S+)/gm)].filter(([, from]) => !stages.has(from))
    expect(new Set(others.map(([, from]) => from))).toEqual(new Set(['${NODE_IMAGE}']))
  })

  it('have the digest that the registry answers, with the token that it asks for', async () => {
    const host = await listen(({ url = '', method, headers }, reply) => {
      if (url === '/token?service=images&scope=repository%3Alibrary%2Fnode%3Apull')
        return void reply.end(JSON.stringify({ token: 'allowed' }))
      const isImage = method === 'HEAD' && url === '/v2/library/node/manifests/26-slim'
      if (isImage && headers.authorization === 'Bearer allowed')
        return void reply.setHeader('docker-content-digest', digest).end()
      const challenge = `Bearer realm="http://${headers.host}/token",service="images",scope="repository:library/node:pull"`
      reply.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    const image = `${host}/library/node:26-slim`
    expect(await pinned(image)).toBe(`${image}@${digest}`)
  })

  it('are refused in one sentence when the registry lacks them, and when it is away', async () => {
    const host = await listen((_request, reply) => void reply.writeHead(404).end())
    const lacking = `The registry ${host} has no digest of ${host}/node:1: it answered 404`
    await expect(pinned(`${host}/node:1`)).rejects.toThrow(lacking)
    await expect(pinned('127.0.0.1:1/node:1')).rejects.toThrow('The registry 127.0.0.1:1 cannot be reached')
  })

  it('become arguments of a build only with their digests', () => {
    const bases = { NODE_IMAGE: 'node:26-slim' }
    const pin = `node:26-slim@${digest}`
    expect(buildArgs(bases, { NODE_IMAGE: pin })).toBe(`--build-arg NODE_IMAGE=${pin}`)
    const lacking: readonly Images[] = [{}, { NODE_IMAGE: `node:24-slim@${digest}` }, { NODE_IMAGE: 'node:26-slim' }]
    for (const pins of lacking)
      expect(() => buildArgs(bases, pins)).toThrow('There is no digest of node:26-slim: run `npm run digests`')
  })
})
