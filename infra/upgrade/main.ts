// `npm run test:upgrade [-- COMMIT]`: the last tag, or a named commit, and this checkout run side by side under load, on the schema of this
// checkout, until each process is replaced. No request fails, and every job is done once.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { miscounted } from '../../packages/testkit/src/miscounted.ts'
import { promise, startChecks } from '../stage/drills.ts'
import type { Member } from '../stage/fleet.ts'
import { startLoad, type Load, type LoadReport } from '../stage/load.ts'
import { openPlace, type Place } from '../stage/place.ts'
import { buildApps, checkOut, commitName, lastTag } from './checkout.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The processes of each deployable. */
const each = 2
/** The load before the first and after the last replacement. */
const aloneMs = 8_000
const jobsWithinMs = 120_000

const before = process.argv[2] ?? lastTag(root)
const { check, finish } = startChecks()
if (before === undefined) {
  console.error('There is no tag to upgrade from; name a commit: npm run test:upgrade -- COMMIT')
  process.exitCode = 1
} else {
  await testUpgrade(before)
  process.exitCode = finish()
}

async function testUpgrade(commit: string): Promise<void> {
  console.log(`from ${commitName(root, commit)}\nto   ${commitName(root)}, as it is here`)
  const old = checkOut(root, commit)
  try {
    buildApps(root)
    await using place = await openPlace('test-upgrade')
    await replaceUnderLoad(place, old.root)
  } finally {
    old.remove()
  }
}

/** Runs the version before, replaces it under load and judges what became of each request and its work. */
async function replaceUnderLoad(place: Place, old: string): Promise<void> {
  let running: { readonly members: readonly Member[]; readonly load: Load } | undefined
  await check('the version before runs', async () => {
    running = await start(place, old)
    return `${running.members.length} processes`
  })
  if (running === undefined) return
  const { members, load } = running
  await check('the database is migrated under it', async () => {
    await place.fleet.crm(root, 'db', 'migrate')
    await waitMs(aloneMs)
  })
  for (const member of members)
    await check(`${member.deployable.name} is replaced, and ends well`, () => replace(place, member))
  await waitMs(aloneMs)
  const report = await load.stop()
  for (const { kind, sent, p95Ms, failures } of report.kinds)
    await check(`no ${kind} fails`, async () => {
      promise(failures.length === 0, failures.join('; '))
      return `${sent} sent, p95 ${p95Ms.toFixed(0)} ms`
    })
  await check('nothing is left to do', () => place.untilNothingWaits(jobsWithinMs))
  await checkWork(place, report)
}

async function start(place: Place, old: string) {
  await place.fleet.crm(old, 'db', 'migrate')
  await place.fleet.crm(old, 'db', 'seed-demo')
  const members = await place.run(old, each)
  const load = await startLoad(place.port, place.demo())
  await waitMs(aloneMs)
  return { members, load }
}

/** Replaces a process: the new one is ready before the old one is asked to stop. */
async function replace({ fleet }: Place, member: Member): Promise<void> {
  await fleet.start(root, member.deployable)
  const code = await fleet.retire(member)
  promise(code === 0, `it ended with ${code}`)
}

/** Looks whether each kind of work was done exactly once for each accepted request. */
async function checkWork({ owner, dataDir }: Place, { created, called, booked }: LoadReport): Promise<void> {
  const { rows } = await owner.query<{ email: string; n: number }>(
    `SELECT email, count(*)::int AS n FROM leads WHERE email LIKE '%@upgrade.example' GROUP BY email`,
  )
  const leads = new Map(rows.map(({ email, n }) => [email, n]))
  const leadsOf = (email: string): number => leads.get(email) ?? 0
  const mailDir = join(dataDir, 'mail')
  const mails = readdirSync(mailDir).map((name) => readFileSync(join(mailDir, name), 'utf8'))
  const recipients = mails.map((text) => /^To: .*$/m.exec(text)?.[0] ?? '')
  const invitations = (email: string): number => recipients.filter((line) => line.includes(email)).length
  const work = [
    ['each created lead is there once', created, leadsOf],
    ['each call of the webhook made one lead', called, leadsOf],
    ['each booking made one lead', booked, leadsOf],
    ['each guest got one invitation', booked, invitations],
  ] as const
  for (const [name, emails, count] of work)
    await check(name, async () => {
      const wrong = emails.filter((email) => count(email) !== 1)
      promise(wrong.length === 0, `${wrong.length} of ${emails.length}, such as ${wrong[0]}: ${count(wrong[0]!)} times`)
      return `${emails.length}`
    })
  await check('every total is exact, whichever version counted', async () => {
    const wrong = await miscounted(owner)
    promise(wrong.length === 0, JSON.stringify(wrong.slice(0, 3)))
  })
}
