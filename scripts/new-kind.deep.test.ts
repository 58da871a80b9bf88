import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'crm-new-kind-'))
const run = promisify(execFile)
const bin = (name: string): string => join(copy, 'node_modules/.bin', name)
/** Runs a program in the copy; its output is in the error when it fails. */
const inCopy = (program: string, args: readonly string[]) =>
  run(bin(program), args, { cwd: copy, maxBuffer: 1e8 }).catch((failed: { stdout: string; stderr: string }) =>
    expect.fail(`${program} ${args.join(' ')}\n${failed.stdout}${failed.stderr}`),
  )

copyProject()
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Copies the files that git tracks, with the installed packages beside them and the project's own packages of the copy. */
function copyProject(): void {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .split('\n')
    .filter(Boolean)
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { force: true })
  }
  mkdirSync(join(copy, 'node_modules/@crm'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@crm') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  for (const kind of ['packages', 'apps']) {
    for (const name of readdirSync(join(copy, kind))) {
      symlinkSync(join(copy, kind, name), join(copy, 'node_modules/@crm', name))
      const ofItsOwn = join(root, kind, name, 'node_modules')
      if (existsSync(ofItsOwn)) symlinkSync(ofItsOwn, join(copy, kind, name, 'node_modules'))
    }
  }
}

describe('npm run new:kind', () => {
  it('refuses a name that is none, one that is taken, a kind that is not there, and stages that are none', async () => {
    const attempt = (name: string, ...more: readonly string[]) =>
      run(bin('node'), [join(copy, 'scripts/new-kind.ts'), name, '--root', copy, ...more])
    const refusals: readonly (readonly [string, string])[] = [
      ['', 'Usage'],
      ['Words', 'does not begin with a small letter'],
      ['two words', 'signs other than'],
      ['two--words', 'a hyphen that stands between no two words'],
      ['a'.repeat(41), 'longer than'],
      ['lead', 'already'],
    ]
    for (const [name, stderr] of refusals)
      await expect(attempt(name)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(stderr) })
    for (const [option, value, stderr] of [
      ['--refers', 'company,sentence', 'no kind called sentence'],
      ['--stages', 'open', 'two stages or more'],
      ['--stages', 'open,open', 'named twice'],
      ['--stages', 'open,4x', 'begin with a letter'],
      ['--state', 'open', 'Usage'],
    ] as const)
      await expect(attempt('word', option, value)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(stderr),
      })
  })

  it(
    'writes kinds that are there everywhere, and no file that a person wrote',
    { timeout: 900_000, retry: 0 },
    async () => {
      const before = written()
      const stages = ['--stages', 'open,claimed,closed']
      await inCopy('node', ['scripts/new-kind.ts', 'warranty', '--refers', 'company,deal', ...stages, '--root', copy])
      await inCopy('node', ['scripts/new-kind.ts', 'loyalty-card', '--refers', 'contact,warranty', '--root', copy])
      const after = written()
      const names = Object.keys(after)
      expect(names.filter((name) => name in before && before[name] !== after[name])).toEqual([
        'packages/db/src/schema/plain-tables.ts',
        'packages/model/src/plain-entities.ts',
        'packages/model/src/plain-kinds.ts',
      ])
      expect(names.filter((name) => !(name in before))).toEqual([
        'apps/console/web/src/texts/plain/loyalty-card.json',
        'apps/console/web/src/texts/plain/warranty.json',
        'packages/model/src/plain/loyalty-card.ts',
        'packages/model/src/plain/warranty.ts',
      ])
      await inCopy('tsc', ['--noEmit'])
      await inCopy('tsc', ['--noEmit', '-p', 'apps/console/web'])
      const { stdout } = await inCopy('node', ['--input-type=module', '--eval', printTools])
      const usual = ['list', 'summary', 'get', 'create', 'update', 'delete'].map((key) => `loyalty_cards_${key}`)
      expect(JSON.parse(stdout)).toEqual({ names: expect.arrayContaining(usual), found: ['loyalty_cards_summary'] })
      await inCopy('node', ['scripts/check-boundaries.ts'])
      cpSync(join(root, 'scripts/new-kind.api.fixture.txt'), join(copy, 'apps/crm-api/test/new-kind.test.ts'))
      cpSync(join(root, 'scripts/new-kind.console.fixture.txt'), join(copy, 'apps/console/test/new-kind.test.ts'))
      await inCopy('node', ['--input-type=module', '--eval', build])
      const args = [
        'run',
        'apps/crm-api/test/new-kind.test.ts',
        'apps/console/test/new-kind.test.ts',
        'apps/crm-api/test/contract.test.ts',
        'apps/crm-api/test/visibility.test.ts',
        'apps/crm-api/test/out-of-sight.test.ts',
        'packages/model/src/graph.test.ts',
        'packages/tools/src/catalogue.test.ts',
        '--testNamePattern',
        '[lL]oyalty|LOYALTY|warrant|WARRANT|openapi|projections',
        '--reporter=json',
        '--outputFile=report.json',
      ]
      // The report has every failure.
      await run(bin('vitest'), args, { cwd: copy, maxBuffer: 1e8 }).catch(() => undefined)
      const report = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8')) as Report
      const files = report.testResults.filter(({ status }) => status === 'failed')
      const failed = files
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status === 'failed')
      expect([
        ...files.map(({ name, message }) => `${name}: ${message}`),
        ...failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join()}`),
      ]).toEqual([])
      expect(report).toMatchObject({ success: true, numPassedTests: expect.any(Number) })
      expect(report.numPassedTests).toBeGreaterThan(300)
    },
  )
})

/** Returns the files of the copy with their content, without what follows from the contract and the schema. */
function written(): Readonly<Record<string, string>> {
  const names = globSync('{apps,packages,scripts,infra}/**/*.{ts,tsx,json}', {
    cwd: copy,
    exclude: (name) => /node_modules|migrations/.test(name),
  })
  return Object.fromEntries(
    names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => [name, readFileSync(join(copy, name), 'utf8')]),
  )
}

/** Builds the pages and the bundles of the copy. */
const build = "await (await import('./infra/local/build.ts')).buildProject()"

/** Prints the tools of the copy, and the results of a search among them. */
const printTools = `
import { publicContract } from '@crm/contract'
import { coreMode, toolCatalogue } from '@crm/tools'
const { tools } = toolCatalogue(publicContract)
const found = coreMode(tools).search('how many loyalty cards', 1, () => true)
const names = tools.map(({ name }) => name)
console.log(JSON.stringify({ names, found: found.tools.map(({ name }) => name) }))
`

interface Report {
  readonly success: boolean
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly name: string
    /** The error that stopped the file as a whole. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}
