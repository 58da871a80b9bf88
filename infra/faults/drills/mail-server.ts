import { newId, schema } from '@crm/db'
import { bookingRow } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../local/ports.ts'
import { promise } from '../../stage/drills.ts'
import type { Drill } from '../drill.ts'
import { preparePostfix, type Postfix } from '../postfix.ts'
import { call } from '../../stage/requests.ts'
import type { Stage } from '../stage.ts'
import type { Tenant } from '../tenant.ts'

const port = await freePort()
const kindsOfTrouble = ['slow', 'refused', 'later', 'cut'] as const
type Trouble = (typeof kindsOfTrouble)[number] | 'away'

/** The time in which every mail is tried at least twice more. */
const patienceMs = 240_000
const everyMs = 1_000

/** Asks the installation for one mail to an address. */
type Ask = (address: string) => Promise<unknown>

/** Every kind of mail, sent through a mail server that thinks, refuses, puts off, drops the answer, and is away for minutes. */
export const mailServer: Drill = {
  name: 'a mail server thinks, refuses, puts off, drops answers and is away',
  env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'crm@service.test' },
  prepare: async (stage) => {
    const tenant = await stage.tenant()
    const asks = await kindsOfMail(stage, tenant)
    return async () => {
      const all = counts(asks, [...kindsOfTrouble, 'away'], 0).map(([mailbox]) => `${mailbox}@guest.test`)
      await using postfix = await preparePostfix(port, all)
      await postfix.start()
      await askAll(asks, kindsOfTrouble)
      await wait(everyMs * 20)
      postfix.relent()
      const wanted = new Map([...counts(asks, ['slow', 'later', 'cut'], 1), ...counts(asks, ['refused'], 0)])
      await settled(postfix, wanted)
      await postfix.stop()
      await askAll(asks, ['away'])
      await wait(everyMs * 90)
      await postfix.start()
      for (const [mailbox, count] of counts(asks, ['away'], 1)) wanted.set(mailbox, count)
      await settled(postfix, wanted)
      // A copy that comes later would be one too many.
      await wait(patienceMs / 2)
      await settled(postfix, wanted)
      const ids = new Set(postfix.mails().map(({ messageId }) => messageId))
      promise(ids.size === postfix.mails().length, 'two mails have one Message-ID')
      return `${wanted.size} mails of ${Object.keys(asks).length} kinds: ${postfix.mails().length} in their mailboxes, each once; the others refused`
    }
  },
}

async function askAll(asks: Readonly<Record<string, Ask>>, troubles: readonly Trouble[]): Promise<void> {
  for (const trouble of troubles)
    await Promise.all(Object.entries(asks).map(([kind, ask]) => ask(`${trouble}.${kind}@guest.test`)))
}

function counts(asks: object, troubles: readonly Trouble[], count: number): [string, number][] {
  return troubles.flatMap((trouble) => Object.keys(asks).map((kind): [string, number] => [`${trouble}.${kind}`, count]))
}

/** Waits until every mailbox has as many mails as wanted; fails as soon as one has more. */
async function settled(postfix: Postfix, wanted: ReadonlyMap<string, number>): Promise<void> {
  const endsAt = Date.now() + patienceMs
  for (;;) {
    const found = Map.groupBy(postfix.mails(), ({ mailbox }) => mailbox)
    const wrong = [...wanted].filter(([mailbox, count]) => (found.get(mailbox)?.length ?? 0) !== count)
    const tooMany = wrong.filter(([mailbox, count]) => (found.get(mailbox)?.length ?? 0) > count)
    promise(tooMany.length === 0, `more than one copy: ${tooMany.map(([mailbox]) => mailbox).join(', ')}`)
    if (wrong.length === 0) return
    promise(Date.now() < endsAt, `not in the mailbox: ${wrong.map(([mailbox]) => mailbox).join(', ')}`)
    await wait(everyMs)
  }
}

async function kindsOfMail({ db, port: stagePort }: Stage, tenant: Tenant): Promise<Readonly<Record<string, Ask>>> {
  const { workspaceId, adminUserId, ask } = tenant
  const made = (path: string, body: unknown) => ask<{ data: { id: string } }>({ path, body })
  const signedIn = async () => ({
    cookie: await tenant.session(adminUserId, new Date()),
    origin: `http://${tenant.host}`,
  })
  const asAdmin = async (path: string, body: unknown, method = 'POST') => {
    const headers = await signedIn()
    const { status, body: answer } = await call(stagePort, { path, method, body, host: tenant.host, headers })
    promise(status < 300, `${path} answered ${status}: ${answer.toString()}`)
  }
  const withAddress = async (email: string): Promise<string> => {
    const { id } = await tenant.employee()
    await db.update(schema.employees).set({ email }).where(eq(schema.employees.id, id))
    return id
  }
  const lead = await made('/api/leads', { lastName: 'Lovelace' })
  const document = async (path: string, address: string) => {
    const { data } = await made(path, { items: [{ name: 'Work', quantity: '1', unitPrice: '10.00' }] })
    await made(`${path}/${data.id}/send`, { to: [address] })
  }
  const book = async (email: string) => {
    const { id: organizerId } = await tenant.employee()
    const { slug } = await tenant.link({ organizerId })
    const startAt = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 86_400_000).toISOString()
    const body = { name: 'Guest', email, startAt, timezone: 'UTC' }
    return (await ask<{ data: { bookingId: string } }>({ path: `/api/public/booking/${slug}`, body, withinMs: 30_000 }))
      .data
  }
  const notified = async (email: string) => {
    const employeeId = await withAddress(email)
    const since = new Date(Date.now() - 60_000).toISOString()
    await db
      .insert(schema.notificationMails)
      .values({ workspaceId, employeeId, kinds: ['RUN_FAILED'], digest: [], since })
    await db
      .insert(schema.notifications)
      .values({ workspaceId, id: newId(), employeeId, kind: 'RUN_FAILED', text: 'The workflow failed.' })
  }
  return {
    written: (address) =>
      made('/api/emails', {
        to: [address],
        subject: 'Hello',
        message: 'A line',
        links: [{ entityType: 'LEAD', entityId: lead.data.id }],
      }),
    quote: (address) => document('/api/quotes', address),
    invoice: (address) => document('/api/invoices', address),
    invitation: (email) => asAdmin('/api/settings/invitations', { email, roleIds: [] }),
    reset: async (email) => asAdmin(`/api/settings/users/${await withAddress(email)}/send-reset`, undefined),
    account: async (email) => {
      const path = `/api/settings/users/${await withAddress(email)}`
      await asAdmin(path, { email: email.replace('@', '-moved@') }, 'PATCH')
    },
    notice: notified,
    booking: book,
    cancelled: async (inviteeEmail) => {
      const { id: organizerId } = await tenant.employee()
      const { id: linkId } = await tenant.link({ organizerId })
      const id = newId()
      const start = Date.now() + 86_400_000
      await db.insert(schema.bookings).values(
        bookingRow({
          workspaceId,
          id,
          linkId,
          organizerId,
          startAt: new Date(start).toISOString(),
          endAt: new Date(start + 1_800_000).toISOString(),
          inviteeName: 'Guest',
          inviteeEmail,
          joinUrl: 'http://service.test/call',
        }),
      )
      await asAdmin(`/api/settings/bookings/${id}/cancel`, {})
    },
    step: async (address) => {
      const hook = await tenant.hook([
        { key: 'mail', name: '', type: 'SEND_EMAIL', to: address, subject: 'Hello', body: 'A line' },
      ])
      const headers = { 'x-api-key': hook.secret }
      const { status } = await call(stagePort, {
        path: `/api/hooks/${hook.path}`,
        body: {},
        host: tenant.host,
        headers,
      })
      promise(status === 202, `a hook answered ${status}`)
    },
  }
}
