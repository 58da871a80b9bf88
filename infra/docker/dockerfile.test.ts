import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routingTable } from '../edge/routes.ts'
import { nodeEnv, nodeFlagsOf, youngMbOf } from '../node-flags.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

it('images run with the memory that npm start gives', () => {
  const dockerfile = read('Dockerfile')
  const flags = nodeFlagsOf('any')
    .join(' ')
    .replaceAll(/(semi-space-size=)\d+/g, '$1${YOUNG_MB}')
  expect(dockerfile).toContain(`exec node ${flags} apps/`)
  for (const [name, value] of Object.entries({ ...nodeEnv, YOUNG_MB: youngMbOf('any') }))
    expect(dockerfile).toContain(`${name}=${value}`)
})

it('docker-compose.yml publishes no secret: each is asked for', () => {
  const secrets = [...read('../../docker-compose.yml').matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g)]
  expect(new Set(secrets.map(([, name]) => name))).toEqual(
    new Set(['POSTGRES_PASSWORD', 'ROLE_PASSWORD', 'RUN_TOKEN_SECRET', 'SECRETS_KEY']),
  )
  for (const [, name, rest] of secrets) expect([name, rest]).toEqual([name, expect.stringMatching(/^:\?./)])
})

it('docker-compose.yml passes on what may be missing, and gives it no empty value: podman-compose takes such a value for a text', () => {
  expect(read('../../docker-compose.yml')).not.toMatch(/:-\}/)
})

it('write-env.sh makes every secret once, for its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (): string => {
    execFileSync(fileURLToPath(new URL('write-env.sh', import.meta.url)), [folder])
    return readFileSync(join(folder, '.env'), 'utf8')
  }
  const written = write()
  expect(written).toMatch(
    /^POSTGRES_PASSWORD=[0-9a-f]{48}\nROLE_PASSWORD=[0-9a-f]{48}\nRUN_TOKEN_SECRET=[0-9a-f]{48}\nSECRETS_KEY=[\w+/]{43}=\n$/,
  )
  expect([write(), statSync(join(folder, '.env')).mode & 0o777]).toEqual([written, 0o600])
})

describe.each([...routingTable.services])('%s', (name) => {
  it('has the young generation of npm start in containers, too', () => {
    const own = youngMbOf(name) === youngMbOf('any') ? undefined : String(youngMbOf(name))
    const [service = ''] = new RegExp(`^  ${name}:\\n(    .*\\n)+`, 'm').exec(read('../../docker-compose.yml')) ?? []
    const told = [
      /YOUNG_MB: '(\d+)'/.exec(service),
      /name: YOUNG_MB, value: '(\d+)'/.exec(read(`../k8s/base/${name}.yaml`)),
    ]
    expect({ isThere: service !== '', told: told.map((found) => found?.[1]) }).toEqual({
      isThere: true,
      told: [own, own],
    })
  })
})
