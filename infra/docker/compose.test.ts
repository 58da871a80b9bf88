import { loadConfig, type ConfigError } from '@crm/runtime'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import * as booking from '../../apps/booking/src/config.ts'
import * as cli from '../../apps/cli/src/config.ts'
import * as console from '../../apps/console/src/config.ts'
import * as crmApi from '../../apps/crm-api/src/config.ts'
import * as gateway from '../../apps/mcp-gateway/src/config.ts'
import * as webhooks from '../../apps/webhooks/src/config.ts'
import * as edge from '../edge/config.ts'

const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')

/** Returns the lines below a key at the beginning of a line, or of one that is indented so. */
function below(key: string, indent: string): string {
  const [, block = ''] = new RegExp(`^${indent}${key}:[^\\n]*\\n((?:${indent} .*\\n|\\n)+)`, 'm').exec(compose) ?? []
  return block
}

/** Returns the names of the variables that a service is given, with or without a value. */
function givenTo(service: string): ReadonlySet<string> {
  const block = below(service, '  ')
  const shared = [...block.matchAll(/\*(environment|bucket|retention)/g)].map(([, name]) => below(`x-${name}`, ''))
  return new Set(
    [block, ...shared].flatMap((text) => [...text.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name ?? '')),
  )
}

/** The image sets these; mails go to a server; nothing publishes the port of the queues; the database is asked directly; and each role has a
 * password of its own. */
const notHandedOn = [
  'HOST',
  'PORT',
  'WATCH_PORT',
  'DATA_DIR',
  'NODE_ENV',
  'MAIL_TO_FILES',
  'QUEUE_VIEW_PORT',
  'QUEUE_VIEW_HOST',
  'DATABASE_DIRECT_URL',
  'ROLE_PASSWORD',
]

type Configured = readonly [name: string, schema: z.ZodObject]

/** The services that know the public address. */
const addressed: readonly Configured[] = [
  ['crm-api', crmApi.crmApiConfig],
  ['booking', booking.bookingConfig],
  ['webhooks', webhooks.ingressConfig],
  ['webhooks-dispatcher', webhooks.dispatcherConfig],
  ['mcp-gateway', gateway.gatewayConfig],
]

const services: readonly Configured[] = [
  ...addressed,
  ['console', console.consoleConfig],
  ['migrate', cli.cliConfig],
  ['edge', edge.edgeConfig],
]

it.each(services)('docker-compose.yml hands on every setting of %s', (service, schema) => {
  const given = givenTo(service)
  const missing = Object.keys(schema.shape).filter((name) => !given.has(name) && !notHandedOn.includes(name))
  expect(missing).toEqual([])
})

const usable = {
  PORT: '0',
  DATABASE_URL: 'postgres://crm:a-password-of-ours@postgres:5432/crm',
  REDIS_URL: 'redis://redis:6379',
  CRM_API_URL: 'http://crm-api:3000',
  RUN_TOKEN_SECRET: '0123456789abcdef0123456789abcdef',
}

it.each(addressed)('%s does not start in production at an address that others can read', (_, schema) => {
  const refusalsAt = (baseUrl: string): readonly string[] => {
    try {
      loadConfig(schema, { ...usable, BASE_URL: baseUrl })
      return []
    } catch (error) {
      return (error as ConfigError).lines.filter((line) => line.startsWith('BASE_URL:'))
    }
  }
  expect([refusalsAt('http://crm.acme.test').length, refusalsAt('').length]).toEqual([1, 1])
  expect(refusalsAt('https://crm.acme.test')).toEqual([])
})

it('names the official image of Citus alike wherever it is named, with a tag and without a registry', () => {
  const files = ['infra/docker/citus.compose.yml', 'docs/guide/distributed.md', 'infra/k8s/README.md']
  const named = files.map((path) =>
    [
      ...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(
        /[\w.:/-]*citusdata\/citus\b(?::[\w.-]+)?/g,
      ),
    ].flatMap(([image]) =>
      image.startsWith('https://github.com/') || image === 'github.com/citusdata/citus' ? [] : [image],
    ),
  )
  expect(named.every((images) => images.length > 0)).toBe(true)
  expect([...new Set(named.flat())]).toEqual([expect.stringMatching(/^citusdata\/citus:\d+\.\d+\.\d+$/)])
})
