import { createDatabase, createPool } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis } from '@crm/testkit'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import { afterAll, describe, expect, it } from 'vitest'
import { installPacked, installTools } from './installed-packages.ts'
import { buildPackages } from './pack-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'crm-consumer-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const packages = buildPackages()
installPacked(project, packages)
const tools = mkdtempSync(join(project, 'tools-'))
installTools(tools, [
  'esbuild@0.28.1',
  'rollup@4.68.8',
  '@rollup/plugin-node-resolve@16.0.3',
  '@rollup/plugin-terser@1.0.2',
  'webpack@5.113.0',
  'vite@8.3.8',
  'typescript-5.6@npm:typescript@5.6.3',
  'typescript-5.9@npm:typescript@5.9.3',
  'typescript-6.0@npm:typescript@6.0.3',
])

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
  short: [{ keys: ['firstName', 'id', 'owner'], firstName, owner: 'string' }],
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

describe('the packages that other teams install', () => {
  it('are JavaScript with types, a licence and a README, and nothing else', () => {
    expect(packages.map(({ manifest }) => manifest.name)).toEqual([
      '@crm/client',
      '@crm/contract',
      '@crm/errors',
      '@crm/model',
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
        exports: expect.objectContaining({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } }),
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

/** A page that calls one operation. */
writeFileSync(
  join(project, 'one-call.js'),
  `import { createCall } from '@crm/client'
import { leads } from '@crm/contract'
export const listLeads = (baseUrl, apiKey) => createCall(leads.operations.list, { baseUrl, credential: { apiKey } })
`,
)

/** Programs that bundle `one-call.js` to the file that they are given. */
const bundlers = {
  esbuild: `import { build } from 'esbuild'
await build({ entryPoints: [entry], outfile: out, bundle: true, minify: true, format: 'esm', platform: 'browser' })`,
  rollup: `import { rollup } from 'rollup'
import resolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
const bundle = await rollup({ input: entry, plugins: [resolve({ browser: true })] })
await bundle.write({ file: out, format: 'es', plugins: [terser()] })
await bundle.close()`,
  webpack: `import webpack from 'webpack'
import { basename, dirname } from 'node:path'
const stats = await new Promise((resolve, reject) => webpack({
  mode: 'production', entry, target: ['web', 'es2022'], experiments: { outputModule: true }, performance: false,
  output: { path: dirname(out), filename: basename(out), library: { type: 'module' } },
}, (error, done) => (error ? reject(error) : resolve(done))))
if (stats.hasErrors()) throw new Error(stats.toString())`,
  vite: `import { build } from 'vite'
import { basename, dirname } from 'node:path'
await build({ configFile: false, logLevel: 'error', build: { outDir: dirname(out), emptyOutDir: false, minify: true,
  lib: { entry, formats: ['es'], fileName: () => basename(out) } } })`,
} as const

const compressedMax = 70_000

describe.each(Object.entries(bundlers))('bundled by %s', (name, program) => {
  it(`one call takes less than ${compressedMax} bytes of a page, and works`, { timeout: 120_000 }, async () => {
    const [entry, out] = [join(project, 'one-call.js'), join(project, 'out', `${name}.mjs`)]
    mkdirSync(join(project, 'out'), { recursive: true })
    writeFileSync(join(tools, `${name}.mjs`), `const [entry, out] = process.argv.slice(2)\n${program}\n`)
    await run(process.execPath, [`${name}.mjs`, entry, out], { cwd: tools })
    expect(gzipSync(readFileSync(out), { level: 9 }).length).toBeLessThan(compressedMax)
    writeFileSync(
      join(project, `visit-${name}.mjs`),
      `import { listLeads } from ${JSON.stringify(out)}
const [url, key] = process.argv.slice(2)
console.log(JSON.stringify(await listLeads(url, key)({ query: { search: 'Nobody' } })))\n`,
    )
    const { stdout } = await run(process.execPath, [`visit-${name}.mjs`, api.url, key], { cwd: project })
    expect(JSON.parse(stdout)).toMatchObject({ items: [], total: 0 })
  })
})

describe.each(['5.6', '5.9', '6.0'])('compiled by TypeScript %s', (version) => {
  it('a strict program of another team has no error', { timeout: 180_000 }, async () => {
    const folder = join(project, `typescript-${version}`)
    mkdirSync(folder)
    cpSync(join(root, 'scripts/pack-packages.fixture.ts'), join(folder, 'consumer.ts'))
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      noEmit: true,
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const compiler = join(tools, 'node_modules', `typescript-${version}`, 'lib', 'tsc.js')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(stdout).toBe('')
  })
})
