import { bundleOf, createTestWorkspace, testDatabase, testScratchDir } from '@crm/testkit'
import { createDatabase, createPool } from '@crm/db'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('backup.sh', import.meta.url))
const database = await testDatabase()
const scratch = testScratchDir()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
await createTestWorkspace(createDatabase(pool))
await pool.end()

// The command of the image.
writeFileSync(join(scratch, 'crm'), `#!/bin/sh\nexec '${process.execPath}' '${bundleOf('cli')}' "$@"\n`)
chmodSync(join(scratch, 'crm'), 0o755)

const run = (place: string, ...args: string[]) =>
  spawn(script, args, {
    env: {
      PATH: `${scratch}:${dirname(process.execPath)}:/usr/bin:/bin`,
      DATABASE_URL: database.ownerUrl,
      DATA_DIR: join(scratch, 'data'),
      BACKUP_TO: place,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function outcomeOf(
  child: ReturnType<typeof run>,
): Promise<{ readonly code: number | null; readonly lines: string[] }> {
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  return { code, lines: said.trim().split('\n') }
}

it('makes a backup, verifies it, and says so in JSON lines', async () => {
  const place = join(scratch, 'backups')
  const { code, lines } = await outcomeOf(run(place))
  expect(code).toBe(0)
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ verified: true }))
  expect(readdirSync(place)).toHaveLength(1)
})

it('ends with the first step that fails', async () => {
  const { code, lines } = await outcomeOf(run(join(scratch, 'crm')))
  expect({ isZero: code === 0, lines }).toEqual({ isZero: false, lines: [''] })
})

it('waits for the time of day, and ends when it is told to', async () => {
  const daily = run(join(scratch, 'never'), 'daily')
  const exited = once(daily, 'exit') as Promise<[number | null]>
  const [said] = (await once(daily.stdout, 'data')) as [Buffer]
  expect(JSON.parse(said.toString())).toMatchObject({ msg: 'the next backup is made at 02:17 UTC' })
  daily.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
