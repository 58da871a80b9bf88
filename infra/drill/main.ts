// `npm run drill`: an installation under load is backed up, destroyed, and restored elsewhere. Every write acknowledged before the backup is
// there, tables and files are the same, damage is found, and nothing is overwritten or sent unasked.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seconds } from '../local/progress.mjs'
import { compareBackups } from '../stage/backups.ts'
import { promise, startChecks } from '../stage/drills.ts'
import { failedRequests, startLoad, type Demo } from '../stage/load.ts'
import { openPlace, type Place } from '../stage/place.ts'
import { call } from '../stage/requests.ts'
import { buildApps } from '../upgrade/checkout.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const underLoadMs = 6_000
const filesUploaded = 5
const sentWithinMs = 60_000

const backups = mkdtempSync(join(tmpdir(), 'crm-drill-'))
const { check, finish } = startChecks()

try {
  buildApps(root)
  await drill()
} finally {
  rmSync(backups, { recursive: true, force: true })
}
process.exitCode = finish()

async function drill(): Promise<void> {
  const { path, known, demo } = await backUpAndLose()
  const folder = path
  await check('crm backup verify finds one flipped byte in each kind of file', () => findDamage(folder))
  await using place = await openPlace('drill')
  const restored = await check('crm backup restore fills an empty installation', async () => {
    await crm(place, 'backup', 'verify', folder)
    await crm(place, 'backup', 'restore', folder)
  })
  if (!restored) return
  await check('every write acknowledged before the backup is there', async () => {
    const { rows } = await place.owner.query<{ email: string }>(
      "SELECT email FROM leads WHERE email LIKE '%@upgrade.example'",
    )
    const there = new Set(rows.map(({ email }) => email))
    const lost = known.created.filter((email) => !there.has(email))
    promise(known.created.length > 0 && lost.length === 0, `${lost.length} of ${known.created.length} leads are lost`)
    return `${known.created.length} leads`
  })
  await check('a second backup holds the same rows and files', () => compare(place, folder))
  await check('a database that is not empty refuses to be restored over', async () => {
    promise(await refuses(place, 'backup', 'restore', folder), 'it was overwritten')
  })
  await check('nothing is sent until crm resume, and then each accepted call is done once', async () => {
    await place.run(root)
    const { status } = await call(place.port, {
      path: '/api/leads?pageSize=1',
      host: 'localhost',
      headers: { authorization: `Bearer ${demo.apiKey}` },
    })
    promise(status === 200, `the key of before was answered ${status}`)
    const mailDir = join(place.dataDir, 'mail')
    const mails = (): number => (existsSync(mailDir) ? readdirSync(mailDir).length : 0)
    promise(mails() === 0, 'mail was sent')
    await crm(place, 'resume', '--send-outbox')
    await place.untilNothingWaits(sentWithinMs)
    const { rows } = await place.owner.query<{ email: string; n: number }>(
      "SELECT email, count(*)::int AS n FROM leads WHERE email LIKE 'hook-%@upgrade.example' GROUP BY email",
    )
    const counts = new Map(rows.map(({ email, n }) => [email, n]))
    const wrong = known.called.filter((email) => counts.get(email) !== 1)
    promise(wrong.length === 0, `${wrong.length} of ${known.called.length} calls made no lead or several`)
    return `${known.called.length} calls`
  })
}

/** Runs an installation, backs it up under load and destroys all of it. */
async function backUpAndLose() {
  await using place = await openPlace('drill')
  await crm(place, 'db', 'migrate')
  await crm(place, 'db', 'seed-demo')
  await place.run(root)
  const demo = place.demo()
  for (let n = 0; n < filesUploaded; n++) await upload(place, demo, `file ${n}\n`.repeat(1_000 * (n + 1)))
  const load = await startLoad(place.port, demo)
  await waitMs(underLoadMs)
  const known = load.soFar()
  const at = Date.now()
  const { path } = JSON.parse(await crm(place, 'backup', 'create', '--to', backups, '--json')) as {
    readonly path: string
  }
  const took = seconds(at)
  const failures = failedRequests(await load.stop())
  await check('crm backup create lets everybody go on', async () => {
    promise(failures.length === 0, failures.join('; '))
    return took
  })
  return { path, known, demo }
}

async function upload({ port }: Place, { apiKey }: Demo, content: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'drill.txt')
  const answer = await fetch(`http://localhost:${port}/api/files/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`The upload was answered ${answer.status}: ${await answer.text()}`)
}

async function findDamage(folder: string): Promise<string> {
  await using place = await openPlace('drill')
  const largest = (kind: string): string => {
    const names = readdirSync(join(folder, kind)).map((name) => join(folder, kind, name))
    return names.toSorted((one, other) => statSync(other).size - statSync(one).size)[0]!
  }
  const tried = [largest('tables'), largest('files')]
  for (const file of tried) {
    const bytes = readFileSync(file)
    const damaged = Buffer.from(bytes)
    damaged[bytes.length >> 1]! ^= 1
    writeFileSync(file, damaged)
    const isFound = await refuses(place, 'backup', 'verify', folder)
    writeFileSync(file, bytes)
    promise(isFound, `verify accepts a flipped byte in ${file}`)
  }
  return `${tried.length} files`
}

/** Compares with a second backup of what was restored. */
async function compare(place: Place, folder: string): Promise<string> {
  const { path } = JSON.parse(await crm(place, 'backup', 'create', '--to', join(backups, 'again'), '--json')) as {
    readonly path: string
  }
  return compareBackups(folder, path)
}

function crm({ fleet }: Place, ...args: readonly string[]): Promise<string> {
  return fleet.crm(root, ...args)
}

/** Whether a command ends with exit code 1. */
async function refuses(place: Place, ...args: readonly string[]): Promise<boolean> {
  try {
    await crm(place, ...args)
    return false
  } catch (error) {
    return (error as { readonly code?: number }).code === 1
  }
}
