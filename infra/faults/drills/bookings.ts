import { promise } from '../../stage/drills.ts'
import { tally, type Drill } from '../drill.ts'
import { addressOf, call, type Answer } from '../../stage/requests.ts'
import type { Stage } from '../stage.ts'
import type { Link, Tenant } from '../tenant.ts'

const rounds = 30
const bufferMin = 15
const dayMs = 86_400_000

/** One moment in the calendar of an organizer, on a day of its own. */
interface Round {
  readonly link: Link
  /** Another link of the same organizer, for longer meetings. */
  readonly longLink: Link
  book(link: Link, time: string): Promise<Answer>
  /** Books a time; the returned function moves the booking. */
  bookFirst(link: Link, time: string): Promise<(time: string) => Promise<Answer>>
  saveEvent(from: string, to: string): Promise<Answer>
}

/** The concurrent requests of one moment. */
const races: Readonly<Record<string, (round: Round) => Promise<readonly Answer[]>>> = {
  'two guests book beside each other': ({ link, book }) => Promise.all([book(link, '10:00'), book(link, '10:30')]),
  'two guests book by two links of one organizer': ({ link, longLink, book }) =>
    Promise.all([book(link, '10:00'), book(longLink, '10:30')]),
  'a guest books while another one moves': async ({ link, book, bookFirst }) => {
    const move = await bookFirst(link, '15:00')
    return Promise.all([book(link, '10:00'), move('10:30')])
  },
  'a guest books while the organizer saves an event': ({ link, book, saveEvent }) =>
    Promise.all([saveEvent('10:30', '11:00'), book(link, '10:00')]),
}

/** Requests for one organizer at one moment: no booking is nearer to another calendar entry than the buffer. */
export const bookings: Drill = {
  name: `${rounds} rounds of each race for a booking are run`,
  prepare: async (stage) => {
    const tenant = await stage.tenant()
    return async () => {
      const seen: string[] = []
      for (const [name, race] of Object.entries(races)) {
        const { id: organizerId } = await tenant.employee()
        const cookie = await tenant.session(organizerId)
        const statuses: number[] = []
        for (let n = 0; n < rounds; n++) {
          const answers = await race(await newRound(stage, tenant, { organizerId, cookie, n }))
          promise(
            answers.every(({ status }) => [200, 201, 409].includes(status)),
            `when ${name}: ${answers.map(({ status, body }) => `${status} ${body}`).join('; ')}`,
          )
          statuses.push(...answers.map(({ status }) => status))
        }
        const violated = await violations(stage, organizerId)
        promise(violated === 0, `when ${name}, a buffer was violated ${violated} times`)
        seen.push(`${name}: ${tally(statuses)}`)
      }
      return seen.join('\n')
    }
  },
}

let asked = 0

async function newRound(
  { port }: Stage,
  tenant: Tenant,
  { organizerId, cookie, n }: { readonly organizerId: string; readonly cookie: string; readonly n: number },
): Promise<Round> {
  const { host } = tenant
  const at = (time: string): string =>
    `${new Date(Date.now() + (2 + n) * dayMs).toISOString().slice(0, 10)}T${time}:00.000Z`
  // Every request has an address of its own, so that no limit of an address is met.
  const ask = (path: string, body: object, headers = {}) =>
    call(port, { host, path, body, headers, from: addressOf(asked++) })
  const book: Round['book'] = ({ slug }, time) =>
    ask(`/api/public/booking/${slug}`, {
      name: 'Guest',
      email: `guest${asked}@guest.example`,
      startAt: at(time),
      timezone: 'UTC',
    })
  return {
    link: await tenant.link({ organizerId, bufferMin }),
    longLink: await tenant.link({ organizerId, bufferMin, durationMin: 45 }),
    book,
    bookFirst: async (link, time) => {
      const made = await book(link, time)
      promise(made.status === 201, `a booking was answered ${made.status} ${made.body}`)
      const { data } = JSON.parse(made.body.toString()) as { readonly data: { readonly manageToken: string } }
      return (newTime) => ask(`/api/public/booking/manage/${data.manageToken}/reschedule`, { newStartAt: at(newTime) })
    },
    saveEvent: (from, to) =>
      ask(
        '/api/calendar/events',
        { title: 'Dentist', startAt: at(from), endAt: at(to) },
        { cookie, origin: `http://${host}` },
      ),
  }
}

/** Counts bookings that came nearer than the buffer to earlier entries of the calendar; an organizer may put an event anywhere. */
async function violations({ owner }: Stage, organizerId: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM calendar_events earlier JOIN calendar_events later ON later.employee_id = earlier.employee_id AND later.id <> earlier.id
     WHERE earlier.employee_id = $1 AND later.booking_id IS NOT NULL AND later.xmin::text::bigint > earlier.xmin::text::bigint
       AND later.start_at < earlier.end_at + $2 * interval '1 minute' AND earlier.start_at < later.end_at + $2 * interval '1 minute'`,
    [organizerId, bufferMin],
  )
  return rows[0]?.n ?? 0
}
