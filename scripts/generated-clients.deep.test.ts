import { createDatabase, createPool, schema } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis } from '@crm/testkit'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { installTools } from './installed-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'crm-generated-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))
installTools(project, [
  '@hey-api/openapi-ts@0.99.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  'esbuild@0.28.1',
])

const database = await testDatabase()
const api = await startProcess(bundleOf('crm-api'), {
  DATABASE_URL: database.urlFor('crm_api'),
  REDIS_URL: (await testRedis()).url,
})
const owner = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-owner' })
afterAll(() => owner.end())
const db = createDatabase(owner)
const workspace = await createTestWorkspace(db)
const { key } = await workspace.apiKey()
await db.insert(schema.customFields).values({
  workspaceId: workspace.workspaceId,
  entityType: 'LEAD',
  key: 'region',
  label: 'Region',
  type: 'TEXT',
})

async function post(path: string, body: object): Promise<{ readonly id: string }> {
  const answer = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, `${path} ${await answer.clone().text()}`).toBe(201)
  return ((await answer.json()) as { readonly data: { readonly id: string } }).data
}

const { id: leadId } = await post('/api/leads', {
  lastName: 'Northern',
  jobTitle: 'Keeper',
  customFields: { region: 'north' },
})
await post('/api/leads', { lastName: 'Elsewhere' })
const { id: invoiceId } = await post('/api/invoices', { items: [{ name: 'Work', unitPrice: '10' }] })

it(
  'the document that the service gives becomes clients that compile in a strict project',
  { timeout: 300_000 },
  async () => {
    const document = await (await fetch(`${api.url}/api/openapi.json`)).text()
    writeFileSync(join(project, 'openapi.json'), document)
    const bin = (name: string) => join(project, 'node_modules', '.bin', name)
    await run(bin('openapi-typescript'), ['openapi.json', '-o', 'openapi.ts'], { cwd: project })
    await run(bin('openapi-ts'), ['-i', 'openapi.json', '-o', 'hey'], { cwd: project })
    cpSync(join(root, 'scripts/generated-clients.fixture.txt'), join(project, 'programs.ts'))
    const compilerOptions = {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['programs.ts'] }))
    const { stdout } = await run(bin('tsc'), ['-p', project]).catch((failed: { stdout: string }) => failed)
    expect(stdout).toBe('')
    await run(
      bin('esbuild'),
      ['programs.ts', '--bundle', '--format=esm', '--platform=node', '--outfile=programs.mjs'],
      {
        cwd: project,
      },
    )
  },
)

it.each(['byOpenapiFetch', 'byHeyApi'])('a client works against a live server: %s', async (program) => {
  const facts = JSON.stringify({ leadId, invoiceId })
  writeFileSync(
    join(project, `${program}.mjs`),
    `import { ${program} } from './programs.mjs'
const [url, key, facts] = process.argv.slice(2)
console.log(JSON.stringify(await ${program}(url, key, JSON.parse(facts))))\n`,
  )
  const { stdout } = await run(process.execPath, [`${program}.mjs`, api.url, key, facts], { cwd: project })
  expect(JSON.parse(stdout)).toEqual({
    north: ['Northern'],
    south: 0,
    byForm: 'named-form.txt',
    byJson: 'json.txt',
    pdf: '%PDF-',
    cleared: null,
    refusal: { status: 400, code: 'VALIDATION_ERROR', path: 'phone' },
  })
})
