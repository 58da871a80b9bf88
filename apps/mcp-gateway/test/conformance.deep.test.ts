// The protocol's own conformance suite, whole: what it holds against us needs tools, prompts or extensions that only its own example server has.
import { testScratchDir } from '@crm/testkit'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startFront } from './front.ts'
import { startInstallation } from './installation.ts'

const { workspace, baseUrl } = await startInstallation()
const { key } = await workspace.apiKey()
const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Why a check of the suite says nothing about this server. */
const notOurs: readonly RegExp[] = [
  // It calls tools and reads resources of its example server.
  /There is no tool /,
  /There is no resource test:\/\//,
  /Not testable: server (?:exposes no|does not list)/,
  /Tool 'json_schema_2020_12_tool' not found/,
  /Expected InputRequiredResult|could not get initial InputRequiredResult/,
  // This server offers no prompts, completions, log levels and subscriptions, and says so in its capabilities.
  /There is no method (?:prompts\/|completion\/|logging\/|resources\/(?:un)?subscribe)/,
  // Tasks are an extension that it does not offer.
  /\btasks?\b|-32601|failing_job|capabilities\.extensions/i,
]

it.each([
  ['2026-07-28', 100],
  ['2025-11-25', 20],
])(
  'the suite for %s holds nothing against this server',
  async (revision, passedMin) => {
    const url = await startFront({
      targetOf: () => baseUrl,
      headersOf: ({ headers }) => ({ ...headers, authorization: `Bearer ${key}` }),
    })
    const folder = join(await testScratchDir(), revision)
    const args = [program, 'server', '--url', `${url}/api/mcp`, '--requirements', revision, '-o', folder]
    // It ends with an error because of the checks that need its example server.
    await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 }).catch(() => undefined)
    const checks = await checksIn(folder)
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    expect(failed.filter(({ errorMessage = '' }) => !notOurs.some((reason) => reason.test(errorMessage)))).toEqual([])
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(passedMin)
  },
  180_000,
)

async function checksIn(folder: string): Promise<Check[]> {
  const names = await readdir(folder, { recursive: true })
  const files = await Promise.all(
    names.filter((name) => name.endsWith('checks.json')).map((name) => readFile(join(folder, name), 'utf8')),
  )
  return files.flatMap((file) => JSON.parse(file) as Check[])
}
