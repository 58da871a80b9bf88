// `npm run test:upgrade [-- COMMIT]`: the last tag, or a named commit, and this checkout run side by side under load, on the schema of this
// checkout, until each process is replaced. No request fails, and every job is done once.
import { createPool, type Pool } from '@crm/db'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEdge } from '../edge/edge.ts'
import { freePort } from '../local/ports.ts'
import { seconds } from '../local/progress.mjs'
import { startTestServices } from '../local/test-services.ts'
import { buildApps, checkOut, commitName, lastTag } from './checkout.ts'
import { createFleet, replaced, type Fleet, type Member } from './fleet.ts'
import { startLoad, type Demo, type LoadReport } from './load.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The processes of each deployable. */
const each = 2
/** The load before the first and after the last replacement. */
const aloneMs = 8_000
const jobsWithinMs = 120_000

const before = process.argv[2] ?? lastTag(root)
if (before === undefined) {
  console.error('There is no tag to upgrade from; name a commit: npm run test:upgrade -- COMMIT')
  process.exitCode = 1
} else process.exitCode = await testUpgrade(before)

async function testUpgrade(commit: string): Promise<number> {
  const began = Date.now()
  const say = (text: string): void => console.log(`${seconds(began).padStart(7)}  ${text}`)
  const stack = new AsyncDisposableStack()
  try {
    say(`from ${commitName(root, commit)}`)
    say(`to   ${commitName(root)}, as it is here`)
    const old = checkOut(root, commit)
    stack.defer(() => old.remove())
    buildApps(root)
    const services = await startTestServices()
    stack.defer(() => services.stop())
    const owner = createPool({ databaseUrl: services.databaseUrl, max: 2, applicationName: 'test-upgrade' })
    stack.defer(() => owner.end())
    const port = await freePort()
    const dataDir = join(services.scratchDir, 'data')
    mkdirSync(dataDir)
    const baseUrl = `http://localhost:${port}`
    const fleet = await createFleet({
      databaseUrl: services.databaseUrl,
      redisUrl: services.redisUrl,
      baseUrl,
      dataDir,
    })
    stack.defer(() => fleet.close())

    fleet.crm(old.root, 'db', 'migrate')
    fleet.crm(old.root, 'db', 'seed-demo')
    const members: Member[] = []
    for (const deployable of replaced)
      for (let n = 0; n < each; n++) members.push(await fleet.start(old.root, deployable))
    const edge = await startEdge({ targets: fleet.targets, port, host: '127.0.0.1' })
    stack.defer(() => edge.close())
    say(`${members.length} processes of the version before run`)

    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
    const load = await startLoad(port, demo)
    await waitMs(aloneMs)
    fleet.crm(root, 'db', 'migrate')
    say('the database is migrated')
    await waitMs(aloneMs)
    const exits = await replaceAll(fleet, members, say)
    await waitMs(aloneMs)
    const report = await load.stop()
    const undone = await untilDone(owner)
    return print(report, [...exits, ...undone, ...(await jobsDoneOtherwise(owner, join(dataDir, 'mail'), report))], say)
  } finally {
    await stack.disposeAsync()
  }
}

/** Replaces every process: the new one is ready before the old one is asked to stop. Returns a sentence for each that did not end well. */
async function replaceAll(
  fleet: Fleet,
  members: readonly Member[],
  say: (text: string) => void,
): Promise<readonly string[]> {
  const broken: string[] = []
  for (const member of members) {
    await fleet.start(root, member.deployable)
    const code = await fleet.retire(member)
    if (code !== 0) broken.push(`${member.deployable.name} of the version before ended with ${code}`)
    say(`${member.deployable.name} is replaced`)
  }
  return broken
}

/** Waits until nothing is left to do; returns a sentence when something stays. */
async function untilDone(owner: Pool): Promise<readonly string[]> {
  const endsAt = Date.now() + jobsWithinMs
  for (;;) {
    const { rows } = await owner.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM outbox WHERE done_at IS NULL)::int
         + (SELECT count(*) FROM workflow_runs WHERE state IN ('QUEUED', 'RUNNING', 'WAITING'))::int
         + (SELECT count(*) FROM booking_mails)::int AS left`,
    )
    const left = rows[0]?.left ?? 0
    if (left === 0) return []
    if (Date.now() > endsAt) return [`${left} pieces of work are left after ${jobsWithinMs / 1_000} s`]
    await waitMs(200)
  }
}

/** Returns a sentence for each kind of work that was not done exactly once for each accepted request. */
async function jobsDoneOtherwise(owner: Pool, mailDir: string, report: LoadReport): Promise<readonly string[]> {
  const { rows } = await owner.query<{ email: string; n: number }>(
    `SELECT email, count(*)::int AS n FROM leads WHERE email LIKE '%@upgrade.example' GROUP BY email`,
  )
  const leads = new Map(rows.map(({ email, n }) => [email, n]))
  const mails = readdirSync(mailDir).map((name) => readFileSync(join(mailDir, name), 'utf8'))
  const recipients = mails.map((text) => /^To: .*$/m.exec(text)?.[0] ?? '')
  const invitations = (email: string): number => recipients.filter((line) => line.includes(email)).length
  const otherwise = (what: string, emails: readonly string[], count: (email: string) => number): string[] => {
    const wrong = emails.filter((email) => count(email) !== 1)
    return wrong.length === 0
      ? []
      : [`${wrong.length} of ${emails.length} ${what}, such as ${wrong[0]}: ${count(wrong[0]!)} times`]
  }
  const leadsOf = (email: string): number => leads.get(email) ?? 0
  return [
    ...otherwise('created leads are not there once', report.created, leadsOf),
    ...otherwise('calls of the webhook made no lead or several', report.called, leadsOf),
    ...otherwise('bookings made no lead or several', report.booked, leadsOf),
    ...otherwise('guests got no invitation or several', report.booked, invitations),
  ]
}

function print(
  { kinds, created, called, booked }: LoadReport,
  broken: readonly string[],
  say: (text: string) => void,
): number {
  for (const { kind, sent, p95Ms, failures } of kinds)
    say(
      `${kind.padEnd(6)} ${sent} sent, ${failures.length === 0 ? 'none failed' : failures.join('; ')}, p95 ${p95Ms.toFixed(0)} ms`,
    )
  for (const sentence of broken) say(`broken: ${sentence}`)
  const jobs = created.length + called.length + 2 * booked.length
  const failed = kinds.filter(({ failures }) => failures.length > 0).length + broken.length
  if (failed === 0) say(`no request failed, and each of ${jobs} pieces of work was done once`)
  return failed === 0 ? 0 : 1
}
