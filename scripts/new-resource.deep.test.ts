import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'crm-new-resource-'))
const run = promisify(execFile)
const bin = (name: string): string => join(copy, 'node_modules/.bin', name)
/** Runs a program in the copy; its output is in the error when it fails. */
const inCopy = (program: string, args: readonly string[]) =>
  run(bin(program), args, { cwd: copy, maxBuffer: 1e8 }).catch((failed: { stdout: string; stderr: string }) =>
    expect.fail(`${program} ${args.join(' ')}\n${failed.stdout}${failed.stderr}`),
  )
const written = ['apps/crm-api/src/resources/loyalty-cards2', 'apps/crm-api/src/resources/rental-contracts']

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

describe('npm run new:resource', () => {
  it('refuses a name that is none, and one that is taken', async () => {
    const attempt = (name: string, kind = 'reference') =>
      run(bin('node'), [join(copy, 'scripts/new-resource.ts'), name, '--kind', kind, '--root', copy])
    await expect(attempt('')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') })
    await expect(attempt('Words')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not begin with a small letter'),
    })
    await expect(attempt('two words')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('signs other than'),
    })
    await expect(attempt('two--words')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a hyphen that stands between no two words'),
    })
    await expect(attempt('a'.repeat(41))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('longer than'),
    })
    await expect(attempt('leads')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    await expect(attempt('words', 'loud')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no kind of resource called loud'),
    })
  })

  it('writes resources of each kind that pass every check', { timeout: 400_000 }, async () => {
    await inCopy('node', ['scripts/new-resource.ts', 'loyalty-cards2', '--noun', 'loyalty card', '--root', copy])
    await inCopy('node', ['scripts/new-resource.ts', 'rental-contracts', '--kind', 'owned', '--root', copy])
    await inCopy('tsc', ['--noEmit'])
    const { stdout } = await inCopy('node', ['--input-type=module', '--eval', printTools])
    const usual = ['list', 'summary', 'get', 'create', 'update', 'delete'].map((key) => `rental_contracts_${key}`)
    expect(JSON.parse(stdout)).toEqual({ names: expect.arrayContaining(usual), found: ['rental_contracts_summary'] })
    await inCopy('node', ['scripts/check-boundaries.ts'])
    await inCopy('oxlint', [
      '--deny-warnings',
      'packages/contract/src/resources',
      'packages/db/src/schema',
      'packages/permissions/src',
      ...written,
      'apps/crm-api/src/kinds',
      'apps/crm-api/test',
    ])
    const args = [
      'run',
      ...written,
      'apps/crm-api/test/contract.test.ts',
      'apps/crm-api/test/visibility.test.ts',
      'apps/crm-api/test/out-of-sight.test.ts',
      'packages/tools/src/catalogue.test.ts',
      '--testNamePattern',
      'loyalty|rental|RENTAL|openapi|projections',
      '--reporter=json',
      '--outputFile=report.json',
    ]
    // The report has every failure.
    await run(bin('vitest'), args, { cwd: copy, maxBuffer: 1e8 }).catch(() => undefined)
    const report = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8')) as Report
    const files = report.testResults.filter(({ status }) => status === 'failed')
    const failed = files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed')
    expect([
      ...files.map(({ name, message }) => `${name}: ${message}`),
      ...failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join()}`),
    ]).toEqual([])
    expect(report).toMatchObject({ success: true, numPassedTests: expect.any(Number) })
    expect(report.numPassedTests).toBeGreaterThan(300)
  })
})

/** Prints the tools of the copy, and the results of a search among them. */
const printTools = `
import { publicContract } from '@crm/contract'
import { coreMode, toolCatalogue } from '@crm/tools'
const { tools } = toolCatalogue(publicContract)
const found = coreMode(tools).search('how many rental contracts', 1, () => true)
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
