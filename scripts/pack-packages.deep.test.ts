import { createDatabase, createPool } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis } from '@crm/testkit'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { afterAll, describe, expect, it } from 'vitest'
import { buildPackages, packPackages, type PublishedPackage } from './pack-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'crm-consumer-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const packages = buildPackages()
installInto(project, packages)

const database = await testDatabase()
const api = await startProcess(bundleOf('crm-api'), {
  DATABASE_URL: database.urlFor('crm_api'),
  REDIS_URL: (await testRedis()).url,
})
const owner = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-owner' })
afterAll(() => owner.end())
const { key } = await (await createTestWorkspace(createDatabase(owner))).apiKey()

/** The Node of the project, and the oldest supported version where `npm run test:packages` provides one. */
const programs = [process.execPath, ...[process.env['TEST_NODE_20']].filter((path) => path !== undefined)].map(
  (path): [string, string] => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path],
)

/** Returns the result of the other team's program, the same on every platform. */
const consumed = (firstName: string) => ({
  lead: { firstName, temperature: 'HOT' },
  listed: [[firstName], 1],
  refusal: 'AUTHENTICATION_ERROR',
  validation: false,
  day: '2026-03-01T00:00:00.000Z',
  status: 400,
  permissions: [true, ['VIEW_LEAD']],
  slots: ['2026-06-01T07:00:00.000Z', '2026-06-01T07:30:00.000Z'],
  template: '{"text":"New lead Ada"}',
  condition: true,
})

/** Makes an empty project with the packages as their users get them, from the packages installed here: nothing is downloaded. */
function installInto(folder: string, published: readonly PublishedPackage[]): void {
  const others = dependenciesOf(
    published
      .flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}))
      .filter((name) => !name.startsWith('@crm/')),
  )
  const files = packPackages(
    [...published.map(({ built }) => built), ...others.map((name) => join(root, 'node_modules', name))],
    join(folder, 'tarballs'),
  )
  const names = [...published.map(({ manifest }) => manifest.name), ...others]
  const dependencies = Object.fromEntries(
    names.map((name) => [
      name,
      `file:${files.find((file) => file.includes(`/${name.replace('@', '').replace('/', '-')}-`))}`,
    ]),
  )
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies }),
  )
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'pipe',
  })
}

/** Returns packages with all their transitive dependencies. */
function dependenciesOf(names: readonly string[], known: ReadonlySet<string> = new Set()): readonly string[] {
  const found = new Set(known)
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string> }
    for (const deeper of dependenciesOf(Object.keys(dependencies), found)) found.add(deeper)
  }
  return [...found]
}

describe('the packages that other teams install', () => {
  it('are JavaScript with types, a licence and a README, and nothing else', () => {
    expect(packages.map(({ manifest }) => manifest.name)).toEqual([
      '@crm/client',
      '@crm/contract',
      '@crm/errors',
      '@crm/permissions',
      '@crm/scheduling',
      '@crm/templates',
    ])
    for (const { manifest } of packages) {
      const installed = join(project, 'node_modules', manifest.name)
      const files = globSync('**/*.*', { cwd: installed })
      expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']))
      expect(
        files.filter(
          (path) => !/^(README\.md|CHANGELOG\.md|package\.json|dist\/.+(?<!\.test)\.(js|d\.ts))$/.test(path),
        ),
      ).toEqual([])
      expect(globSync('LICENSE', { cwd: installed })).toEqual(['LICENSE'])
      const {
        exports,
        license,
        engines,
        scripts,
        devDependencies,
        dependencies = {},
      } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, object>
      expect({ exports, license, engines, scripts, devDependencies }).toEqual({
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
        license: 'MIT',
        engines: { node: '>=20' },
        scripts: undefined,
        devDependencies: undefined,
      })
      expect(Object.values(dependencies).every((range) => /^\^\d/.test(String(range)))).toBe(true)
    }
  })

  it('compile in a strict project with the usual settings', { timeout: 120_000 }, async () => {
    cpSync(join(root, 'scripts/pack-packages.fixture.ts'), join(project, 'consumer.ts'))
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'nodenext',
          moduleResolution: 'nodenext',
          target: 'es2023',
          outDir: 'out',
          rootDir: '.',
        },
        files: ['consumer.ts'],
      }),
    )
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(stdout).toBe('')
  })

  it('are tried on Node 20 whenever one is given', () => {
    expect(programs.slice(1).every(([version]) => version.startsWith('v20.'))).toBe(true)
  })

  it.each(programs)('work against a live server with %s', async (version, program) => {
    writeFileSync(
      join(project, 'run.mjs'),
      "import { consume } from './out/consumer.js'\nconsole.log(JSON.stringify(await consume(...process.argv.slice(2))))\n",
    )
    const firstName = `Ada ${version}`
    const { stdout } = await run(program, ['run.mjs', api.url, key, firstName], { cwd: project })
    expect(JSON.parse(stdout)).toEqual(consumed(firstName))
  })

  it('take at most 60 KB of a page that calls one resource', async () => {
    writeFileSync(
      join(project, 'page.js'),
      "import { createClient } from '@crm/client'\nimport { leads } from '@crm/contract'\nexport const crm = (baseUrl, apiKey) => createClient({ contract: { leads }, baseUrl, credential: { apiKey } })\n",
    )
    const { output } = await build({
      cwd: project,
      input: 'page.js',
      platform: 'browser',
      write: false,
      output: { format: 'esm', minify: true },
      logLevel: 'warn',
    })
    const [{ code }] = output
    expect(output).toHaveLength(1)
    expect(code).not.toMatch(/from\s*["']|invoices/)
    expect(gzipSync(code).length).toBeLessThanOrEqual(60_000)
    writeFileSync(join(project, 'page.bundle.mjs'), code)
    writeFileSync(
      join(project, 'visit.mjs'),
      "import { crm } from './page.bundle.mjs'\nconst [url, key] = process.argv.slice(2)\nconsole.log(JSON.stringify((await crm(url, key).leads.list({ query: { search: 'Nobody' } })).items))\n",
    )
    const { stdout } = await run(process.execPath, ['visit.mjs', api.url, key], { cwd: project })
    expect(JSON.parse(stdout)).toEqual([])
  })
})
