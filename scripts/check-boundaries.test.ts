import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { findBreaches } from './check-boundaries.ts'

const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

const everyPackage = ['errors', 'contract', 'runtime', 'redis', 'db', 'client', 'jobs', 'identity', 'http', 'testkit']
const declareAll = Object.fromEntries(
  [...everyPackage.map((name) => `@crm/${name}`), '@crm/crm-api', 'ioredis', 'zod', 'undici'].map((name) => [
    name,
    '*',
  ]),
)

/** Writes a small project in which every package declares everything, and returns its breaches. */
function breachesOf(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'crm-boundaries-'))
  trees.push(root)
  const manifest = JSON.stringify({ dependencies: declareAll })
  const folders = [
    ...everyPackage.map((name) => `packages/${name}`),
    'apps/crm-api',
    'apps/console',
    'apps/mcp-gateway',
    'apps/webhooks',
    '.',
  ]
  const manifests = Object.fromEntries(folders.map((folder) => [`${folder}/package.json`, manifest]))
  for (const [path, content] of Object.entries({ ...manifests, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return findBreaches(root)
}

it('finds nothing in a project that keeps the rules', () => {
  expect(
    breachesOf({
      'packages/db/src/client.ts':
        "import { z } from 'zod'\nimport { readFile } from 'node:fs'\nimport { own } from './own.ts'",
      'packages/jobs/src/relay.ts': "import { createPool } from '@crm/db'\nimport { connectRedis } from '@crm/redis'",
      'packages/http/src/pipeline.ts': "import type { Operation } from '@crm/contract'",
      'packages/http/src/pipeline.test.ts': "import { testRedis } from '@crm/testkit'\nconst url = process.env['X']",
      'packages/testkit/src/database.ts':
        "import { migrate } from '@crm/db'\nimport { startPostgres } from '../../../infra/local/postgres.ts'",
      'apps/crm-api/src/service.ts': "import { createPool } from '@crm/db'",
      'apps/crm-api/src/main.ts': 'loadConfig(process.env)',
      'apps/console/src/main.ts': "import { runProcess } from '@crm/runtime'",
      'apps/console/web/src/features/docs/try-it.tsx':
        "import { leads } from '@crm/contract'\nawait fetch('/api/leads')",
      'infra/local/start.ts': "await fetch('http://127.0.0.1')\nprocess.env['PATH']",
      'packages/errors/src/codes.ts': "// process.env and fetch( may be spoken of\nexport const text = 'refetch()'",
    }),
  ).toEqual([])
})

it.each([
  [
    'packages/db/src/a.test.ts',
    'expect(performance.now() - began).toBeLessThan(1_500)',
    'bounds the time that something takes',
  ],
  ['apps/crm-api/test/walk.ts', 'const seed = Math.floor(Math.random() * 9)', 'draws values that no run draws again'],
  [
    'infra/rights/a.test.ts',
    "import { randomInt } from 'node:crypto'\nrandomInt(9)",
    'draws values that no run draws again',
  ],
  ['packages/db/src/a.test.ts', 'fc.assert(property, { seed: Date.now() })', 'draws values that no run draws again'],
  ['packages/db/src/a.ts', "import { leads } from '@crm/contract'", 'rows know nothing of the wire format'],
  ['packages/http/src/a.ts', "import { createPool } from '@crm/db'", 'it takes as ports'],
  ['packages/http/src/a.ts', "import { Redis } from 'ioredis'", 'it takes as ports'],
  ['packages/errors/src/a.ts', "import { z } from '@crm/runtime'", 'that is a higher layer'],
  ['packages/jobs/src/a.ts', "export { find } from '@crm/identity'", 'both are of one layer'],
  ['packages/db/src/a.ts', "import type {\n  Thing,\n} from '@crm/contract'", 'rows know nothing'],
  ['packages/db/src/a.ts', "const later = await import('@crm/contract')", 'rows know nothing'],
  ['packages/db/src/a.ts', "import { createPool } from '@crm/db'", 'inside a package imports are relative'],
  ['packages/jobs/src/a.ts', "import { x } from '@crm/db/src/client.ts'", 'only what @crm/db exports is public'],
  ['packages/jobs/src/a.ts', "import { x } from '../../db/src/client.ts'", 'a package reaches into no other'],
  [
    'packages/jobs/src/a.ts',
    "import { x } from 'left-pad'",
    'packages/jobs/package.json does not declare under dependencies',
  ],
  ['packages/unheard/src/a.ts', "import { x } from '@crm/errors'", 'has no layer yet'],
  ['apps/webhooks/test/a.test.ts', "import { app } from '@crm/crm-api'", 'an app never imports another one'],
  ['apps/webhooks/src/a.ts', "import { app } from '../../crm-api/src/app.ts'", 'a package reaches into no other'],
  ['apps/webhooks/src/a.ts', "import { testRedis } from '@crm/testkit'", 'the testkit is for tests'],
  [
    'apps/console/web/src/pages/a.tsx',
    "import { createPool } from '@crm/db'",
    'browser code sees errors, model, permissions, contract, client, postal, pricing only',
  ],
  ['apps/mcp-gateway/src/a.ts', "import { leads } from './leads.handlers.ts'", 'never a call of its handlers'],
  ['apps/webhooks/src/a.ts', "const url = process.env['DATABASE_URL']", 'only config and main files do'],
  ['apps/webhooks/src/a.ts', "const reply = await fetch('http://x.test')", 'go through @crm/egress'],
  ['apps/webhooks/src/a.ts', "import { request } from 'undici'", 'go through @crm/egress'],
  ['apps/webhooks/src/utils/text.ts', '', 'is called "utils"'],
  ['packages/db/src/types.ts', '', 'is called "types"'],
  ['packages/db/src/ListQuery.ts', '', 'is not named in kebab-case'],
  ['apps/crm-api/src/records/history.ts', "import { leadKind } from '../kinds/leads.ts'", 'that is a higher floor'],
  ['apps/crm-api/src/workers/sweep.ts', "import { app } from '../app.ts'", 'that is a higher floor'],
  ['apps/crm-api/src/pdf/sheet.ts', "import type { Context } from '../platform/context.ts'", 'both are of one floor'],
  [
    'apps/crm-api/src/resources/sales/deals/deals.ts',
    "import { tell } from '../leads/leads.ts'",
    'both are of one floor',
  ],
  [
    'apps/crm-api/src/resources/automation/automation/seen.ts',
    "import { findRunOf } from '../workflows/workflow-runs.repository.ts'",
    'that is a higher floor',
  ],
  [
    'apps/crm-api/src/resources/identity/users/users.ts',
    "import { grants } from '../roles/roles.ts'",
    'both are of one floor',
  ],
  ['apps/booking/src/slots/slots.ts', "import { createBooking } from '../bookings/book.ts'", 'that is a higher floor'],
  ['apps/booking/src/links/links.ts', "import type { AppDeps } from '../app.ts'", 'that is a higher floor'],
  ['apps/mcp-gateway/src/oauth/token.ts', "import { callTool } from '../tools/call.ts'", 'both are of one floor'],
  ['apps/webhooks/src/ingress/app.ts', "import { run } from '../dispatcher/runs/run.ts'", 'both are of one floor'],
  ['apps/webhooks/src/dispatcher/runs/run.ts', "import { fire } from '../rules/fire.ts'", 'that is a higher floor'],
  [
    'apps/crm-api/src/misplaced/deals.ts',
    "import { listOf } from '../records/list.ts'",
    'lies in a folder without a floor',
  ],
  [
    'apps/console/web/src/records/record-table.tsx',
    "import { leadTitle } from '../features/leads/lead-words.ts'",
    'that is a higher floor',
  ],
  [
    'apps/console/web/src/features/deals/deal-page.tsx',
    "import { LeadPage } from '../leads/lead-page.tsx'",
    'the parts of features know nothing of each other',
  ],
  [
    'apps/console/web/src/router.tsx',
    "const page = import('./features/leads/lead-page.tsx')",
    'only routes.ts of a part of features is imported',
  ],
  ['packages/db/src/own.ts', "import type { Own } from './own.ts'", 'closes a circle'],
])('%s with %j: %s', (path, code, sentence) => {
  const manifest = { 'packages/unheard/package.json': JSON.stringify({ dependencies: declareAll }) }
  const breaches = breachesOf({ ...manifest, [path]: code })
  expect(breaches).toEqual([expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')} .*`))])
  expect(breaches[0]).toContain(sentence)
})

it('names the whole way of a circle, and takes a test for no part of it', () => {
  const circle = {
    'packages/jobs/src/a.ts': "import './b.ts'",
    'packages/jobs/src/b.ts': "export { c } from './c.ts'",
    'packages/jobs/src/c.ts': "import type { A } from './a.ts'",
  }
  expect(breachesOf(circle)).toEqual([
    'packages/jobs/src/c.ts imports packages/jobs/src/a.ts and closes a circle: packages/jobs/src/a.ts → packages/jobs/src/b.ts → packages/jobs/src/c.ts → packages/jobs/src/a.ts.',
  ])
  expect(
    breachesOf({ ...circle, 'packages/jobs/src/c.ts': '', 'packages/jobs/src/c.test.ts': "import './a.ts'" }),
  ).toEqual([])
})

it('refuses a test that waits no longer than Vitest usually does', () => {
  const refused = ' waits with the usual time of Vitest: use eventually of @crm/testkit.'
  for (const code of ['await vi.waitFor(look)', 'vi\n  .waitUntil(look)'])
    expect(breachesOf({ 'apps/webhooks/test/runs.test.ts': code })).toEqual([
      `apps/webhooks/test/runs.test.ts${refused}`,
    ])
  expect(breachesOf({ 'apps/webhooks/test/runs.test.ts': 'await page.waitFor(look)' })).toEqual([])
})

it('refuses a test that looks at a page once', () => {
  const reads = (code: string): string[] => breachesOf({ 'apps/console/test/leads.test.ts': code })
  for (const code of [
    "expect(await page.getByLabel('Name').inputValue()).toBe('Ada')",
    "expect(new URL(page.url()).pathname).toBe('/leads')",
  ])
    expect(reads(code)).toEqual([
      'apps/console/test/leads.test.ts reads a page once: let expect.poll wait for what is to be there.',
    ])
  expect(reads("await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada')")).toEqual([])
})

it.each([
  [
    'const sent = client._socket',
    'packages/redis/src/a.ts uses ._socket: a member with a leading underscore is private, whoever it belongs to.',
  ],
  ["type Columns = Table['_']['columns']", /uses \['_'\]: .* leading underscore/],
  ['ICAL.RecurIterator.prototype.next.call(it)', /uses ICAL\.RecurIterator\.prototype: the prototype/],
  ['const { prototype } = pdfmakeLine.default', /uses \{ prototype \}: the prototype/],
  ['const quiet = Object.create(connection)', /an object made of another one/],
  ['const { pool } = db as unknown as { pool: object }', /a cast to a shape of its own/],
  ['override sendCommand(...given) {}', /what a library calls by itself/],
  ['return db.session.client', /the session of drizzle/],
  ['ICAL.design.strict = false', /the design of ical\.js/],
  ['iterator.check_contracting_rules = mine', /an iterator of ical\.js/],
  ['(await transport()).transporter.send(mail)', /use sendMail/],
  ["agent[Symbol.for('undici.globalDispatcher.1')]", /inner symbols of undici/],
  ["import Line from 'pdfmake/js/Line.js'", /the inner files of a package/],
])('forbids the private parts of libraries: %s', (code, sentence) => {
  expect(breachesOf({ 'packages/redis/src/a.ts': code })).toContainEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  )
})

it('takes what is our own or public for no private part', () => {
  const code = [
    'this._own = 1',
    'sql`SELECT id FROM migrations.__drizzle_migrations`',
    'const query = mine as typeof Client.prototype.query',
    'Object.create(null)',
    'rows as unknown as Row[]',
    "import { pgTable } from 'drizzle-orm/pg-core'",
  ]
  expect(
    breachesOf({ 'packages/db/src/a.ts': code.join('\n') }).filter((sentence) => sentence.includes(' uses ')),
  ).toEqual([])
})

it('lets a file beside a manifest use what builds the package, and no other', () => {
  const manifest = { 'apps/console/package.json': JSON.stringify({ devDependencies: { vite: '*' } }) }
  const code = "import { parseSync } from 'vite'"
  expect(breachesOf({ ...manifest, 'apps/console/compiled-texts.ts': code })).toEqual([])
  expect(breachesOf({ ...manifest, 'apps/console/src/compiled-texts.ts': code })).toEqual([
    'apps/console/src/compiled-texts.ts imports vite, which apps/console/package.json does not declare under dependencies.',
  ])
})
