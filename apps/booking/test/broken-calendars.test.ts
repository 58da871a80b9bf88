import { newId, schema } from '@crm/db'
import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { readCalendars } from '../src/calendars/read-calendars.ts'
import { bookingUnderTest } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { db, workspace } = service
const deps = service.depsWith({})
const { id: employeeId } = await workspace.employee()

const calendar = (...parts: readonly (string | readonly string[])[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts.flat(), 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', `UID:${newId()}`, ...lines, 'END:VEVENT']
const good = event('DTSTART:20260602T090000Z', 'DTEND:20260602T100000Z', 'SUMMARY:Good')
const goodTime = '06-02T09:00 60'
/** An ordinary meeting of one hour on Wednesday, to which a test adds its peculiarity. */
const wednesday = ['DTSTART:20260603T090000Z', 'DURATION:PT1H', 'SUMMARY:Odd'] as const
const wednesdayTime = '06-03T09:00 60'

interface Reading {
  /** Busy times as `MM-DDTHH:mm minutes`, in UTC. */
  readonly busy: readonly string[]
  readonly free: number
  readonly problem: string | null
}

/** Stores a calendar as the CRM API does after a fetch, and reads it in its thread. */
async function read(content: string, id = newId(), revision = 1): Promise<Reading> {
  const row = {
    workspaceId: workspace.workspaceId,
    id,
    employeeId,
    name: 'Elsewhere',
    url: 'https://x.test/a.ics',
    content,
    revision,
  }
  await db
    .insert(schema.calendarSubscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: [schema.calendarSubscriptions.workspaceId, schema.calendarSubscriptions.id],
      set: { content, revision },
    })
  await readCalendars(deps)
  const [subscription] = await db
    .select({ problem: schema.calendarSubscriptions.problem })
    .from(schema.calendarSubscriptions)
    .where(eq(schema.calendarSubscriptions.id, id))
  const events = await db
    .select()
    .from(schema.calendarEvents)
    .where(eq(schema.calendarEvents.subscriptionId, id))
    .orderBy(asc(schema.calendarEvents.startAt))
  const told = ({ startAt, endAt }: (typeof events)[number]) =>
    `${new Date(startAt).toISOString().slice(5, 16)} ${(Date.parse(endAt) - Date.parse(startAt)) / 60_000}`
  return {
    busy: events.filter(({ busy }) => busy).map(told),
    free: events.filter(({ busy }) => !busy).length,
    problem: subscription?.problem ?? null,
  }
}

const leftOut = /^Left out, because they cannot be read: 1 of 2 events, such as “Odd”\.$/
const inPart =
  /^Read only in part, so that repetitions can be missing and times can be off: 1 of 2 events, such as “Odd”\.$/
const cut = /ends too early or is too long/
const unreadable = /cannot be read as a calendar/

describe('lines that are broken cost no event', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a long line that goes on without a space',
      calendar(
        event(...wednesday, 'DESCRIPTION:Dial in at', 'https://meet.test/1 or by phone', 'and be on time'),
        good,
      ),
      [goodTime, wednesdayTime],
    ],
    ['empty lines', calendar(event(...wednesday), good).replaceAll('\r\n', '\r\n\r\n'), [goodTime, wednesdayTime]],
    [
      'an empty line before the rest of a long one',
      calendar(['BEGIN:VEVENT', 'DTSTART:20260603', '', ' T090000Z', 'DURATION:PT1H', 'END:VEVENT']),
      [wednesdayTime],
    ],
    // Found by seed 9 of test:deep: two events became one.
    [
      'the beginning of an event that is indented',
      calendar(event(...wednesday), good).replace('END:VEVENT\r\nBEGIN', 'END:VEVENT\r\n BEGIN'),
      [goodTime, wednesdayTime],
    ],
    ['a byte order mark', `\uFEFF${calendar(good)}`, [goodTime]],
    [
      'byte order marks of files that were put together',
      `${calendar(event(...wednesday))}\uFEFF${calendar(good)}`,
      [goodTime, wednesdayTime],
    ],
    ['bare line feeds', calendar(good).replaceAll('\r\n', '\n'), [goodTime]],
    ['bare carriage returns', calendar(good).replaceAll('\r\n', '\r'), [goodTime]],
    [
      'a property without a colon',
      calendar(event(...wednesday, 'LOCATION Berlin'), 'X-NONSENSE', good),
      [goodTime, wednesdayTime],
    ],
    [
      'a parameter without an end',
      calendar(event(...wednesday, 'ATTENDEE;CN="Zoë:mailto:z@x.test'), good),
      [goodTime, wednesdayTime],
    ],
    [
      'an alarm without an end',
      calendar(event(...wednesday, 'BEGIN:VALARM', 'TRIGGER:nonsense'), good),
      [goodTime, wednesdayTime],
    ],
    ['an event without an end', calendar(event(...wednesday).slice(0, -1), good), [goodTime, wednesdayTime]],
    ['an end without a beginning', calendar('END:VTODO', good), [goodTime]],
    ['something before and after', `<b>Warning</b>\n${calendar(good)}<!-- 0.1 s -->`, [goodTime]],
    [
      'small letters',
      calendar(good)
        .toLowerCase()
        .replaceAll(/(\d)t(\d+)z/g, '$1T$2Z'),
      [goodTime],
    ],
    ['several calendars', calendar(event(...wednesday)) + calendar() + calendar(good), [goodTime, wednesdayTime]],
    [
      'no UID, which makes them no series',
      calendar(
        good.filter((line) => !line.startsWith('UID')),
        ['BEGIN:VEVENT', ...wednesday, 'END:VEVENT'],
        ['BEGIN:VEVENT', 'RECURRENCE-ID:20260603T090000Z', 'DTSTART:20260603T150000Z', 'DURATION:PT1H', 'END:VEVENT'],
      ),
      [goodTime, wednesdayTime, '06-03T15:00 60'],
    ],
    [
      'one UID for all',
      calendar(
        event('UID:1', ...wednesday).toSpliced(1, 1),
        good.toSpliced(1, 1, 'UID:1'),
        good.toSpliced(1, 1, 'UID:1'),
      ),
      [goodTime, wednesdayTime],
    ],
    [
      'a change of a series that is not there',
      calendar(good, event(...wednesday, 'RECURRENCE-ID:20260601T090000Z')),
      [goodTime, wednesdayTime],
    ],
    ['a date that is announced as a time', calendar(event('DTSTART:20260603', 'DTEND:20260604')), ['06-03T00:00 1440']],
    [
      'a time that is announced as a date',
      calendar(event('DTSTART;VALUE=DATE:20260603T090000Z', 'DTEND;VALUE=DATE:20260603T100000Z')),
      [wednesdayTime],
    ],
    [
      'a day that ends when it begins',
      calendar(event('DTSTART;VALUE=DATE:20260603', 'DTEND;VALUE=DATE:20260603')),
      ['06-03T00:00 1440'],
    ],
    [
      'a meeting that ends with a day',
      calendar(event('DTSTART;TZID=Europe/Berlin:20260603T220000', 'DTEND;VALUE=DATE:20260604')),
      ['06-03T20:00 120'],
    ],
    [
      'an event that is long over and ends before it begins',
      calendar(good, event('DTSTART:20200603T090000Z', 'DTEND:20200603T080000Z')),
      [goodTime],
    ],
    [
      'a rule with spaces, in small letters, every 0 weeks',
      calendar(event(...wednesday, 'RRULE:freq=weekly; interval=0; count=2')),
      [wednesdayTime, '06-10T09:00 60'],
    ],
    [
      'a rule that never comes true',
      calendar(event(...wednesday, 'RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU')),
      [wednesdayTime],
    ],
    [
      'a rule of the calendar that everybody has',
      calendar(event(...wednesday, 'RRULE:FREQ=WEEKLY;RSCALE=GREGORIAN;SKIP=OMIT;X-A=1;COUNT=2')),
      [wednesdayTime, '06-10T09:00 60'],
    ],
  ])('%s', async (_what, content, busy) => {
    expect(await read(content)).toEqual({ busy, free: 0, problem: null })
  })
})

describe('what is no busy time', () => {
  it.each([
    ['STATUS:CANCELLED', 0],
    ['STATUS: cancelled', 0],
    ['TRANSP:TRANSPARENT', 1],
    ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', 1],
  ])('%s', async (line, free) => {
    expect(await read(calendar(good, event(...wednesday, line)))).toEqual({ busy: [goodTime], free, problem: null })
  })

  it('is an occurrence that is cancelled without saying when it would have been', async () => {
    const series = ['BEGIN:VEVENT', 'UID:series', ...wednesday, 'RRULE:FREQ=DAILY;COUNT=2', 'END:VEVENT']
    const cancelled = ['BEGIN:VEVENT', 'UID:series', 'RECURRENCE-ID:20260603T090000Z', 'STATUS:CANCELLED', 'END:VEVENT']
    expect(await read(calendar(series, cancelled))).toEqual({ busy: ['06-04T09:00 60'], free: 0, problem: null })
  })
})

describe('an event whose time cannot be read is left out alone, and its owner is told', () => {
  it.each([
    ['no beginning', ['SUMMARY:Odd']],
    ['a beginning in words', ['DTSTART:tomorrow', 'SUMMARY:Odd']],
    ['a beginning without a colon', ['DTSTART 20260603T090000Z', 'SUMMARY:Odd']],
    ['a day that there is not', ['DTSTART:20260631T090000Z', 'DURATION:PT1H', 'SUMMARY:Odd']],
    ['an hour that there is not', ['DTSTART:20260603T990000Z', 'DURATION:PT1H', 'SUMMARY:Odd']],
    ['an end before its beginning', ['DTSTART:20260603T090000Z', 'DTEND:20260603T080000Z', 'SUMMARY:Odd']],
    ['an end in words', ['DTSTART:20260603T090000Z', 'DTEND:later', 'SUMMARY:Odd']],
    ['a length of more than a life', ['DTSTART:20260603T090000Z', 'DURATION:P99999999W', 'SUMMARY:Odd']],
  ])('%s', async (_what, lines) => {
    expect(await read(calendar(event(...lines), good))).toEqual({
      busy: [goodTime],
      free: 0,
      problem: expect.stringMatching(leftOut),
    })
  })

  it('and what it would have moved stays where it was', async () => {
    const series = ['BEGIN:VEVENT', 'UID:series', ...wednesday, 'RRULE:FREQ=DAILY;COUNT=2', 'END:VEVENT']
    const moved = [
      'BEGIN:VEVENT',
      'UID:series',
      'RECURRENCE-ID:20260603T090000Z',
      'DTSTART:nonsense',
      'SUMMARY:Odd',
      'END:VEVENT',
    ]
    expect(await read(calendar(series, moved))).toEqual({
      busy: [wednesdayTime, '06-04T09:00 60'],
      free: 0,
      problem: expect.stringMatching(leftOut),
    })
  })
})

describe('an event that can be read in part counts where it begins, and its owner is told', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a rule in words', [...wednesday, 'RRULE:every week'], [wednesdayTime]],
    ['a rule without a colon', [...wednesday, 'RRULE FREQ=DAILY'], [wednesdayTime]],
    ['a rule that knows no such frequency', [...wednesday, 'RRULE:FREQ=FORTNIGHTLY'], [wednesdayTime]],
    ['no times at all', [...wednesday, 'RRULE:FREQ=DAILY;COUNT=0'], [wednesdayTime]],
    ['an interval of ages', [...wednesday, 'RRULE:FREQ=DAILY;INTERVAL=999999999'], [wednesdayTime]],
    ['a day of the month that there is not', [...wednesday, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=99'], [wednesdayTime]],
    ['an end in words', [...wednesday, 'RRULE:FREQ=DAILY;UNTIL=summer'], [wednesdayTime]],
    ['a rule by another calendar', [...wednesday, 'RRULE:FREQ=YEARLY;RSCALE=CHINESE'], [wednesdayTime]],
    ['parts that contradict each other', [...wednesday, 'RRULE:FREQ=MONTHLY;BYWEEKNO=3'], [wednesdayTime]],
    [
      'a part that nobody knows, without which the rule goes',
      [...wednesday, 'RRULE:FREQ=WEEKLY;BYEASTER=-2;COUNT=2'],
      [wednesdayTime, '06-10T09:00 60'],
    ],
    ['a day more that cannot be read', [...wednesday, 'RDATE:sunday'], [wednesdayTime]],
    [
      'a day less that cannot be read',
      [...wednesday, 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20260699T090000Z'],
      [wednesdayTime, '06-04T09:00 60'],
    ],
    ['a change of it knows not what', [...wednesday, 'RECURRENCE-ID:then'], [wednesdayTime]],
    [
      'days that end before they begin',
      ['DTSTART;VALUE=DATE:20260603', 'DTEND;VALUE=DATE:20260601', 'SUMMARY:Odd'],
      ['06-03T00:00 1440'],
    ],
    [
      'a zone that nobody knows: that of its owner',
      ['DTSTART;TZID=Customized Time Zone:20260603T110000', 'DURATION:PT1H', 'SUMMARY:Odd'],
      [wednesdayTime],
    ],
  ])('%s', async (_what, lines, busy) => {
    expect(await read(calendar(event(...lines), good))).toEqual({
      busy: [goodTime, ...busy],
      free: 0,
      problem: expect.stringMatching(inPart),
    })
  })
})

const observance = (kind: string, month: number, from: string, to: string) => [
  `BEGIN:${kind}`,
  'DTSTART:16010101T020000',
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  `RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}`,
  `END:${kind}`,
]
const zone = (name: string, ...lines: readonly string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${name}`,
  ...lines,
  'END:VTIMEZONE',
]
const threeHoursEast = [...observance('STANDARD', 10, '+0400', '+0300'), ...observance('DAYLIGHT', 3, '+0300', '+0400')]

describe('a time zone', () => {
  it.each<[string, string, readonly string[], string]>([
    ['that Windows knows', 'Pacific Standard Time', [], '06-03T16:00 60'],
    ['that Windows knows, in quotation marks', '"W. Europe Standard Time"', [], '06-03T07:00 60'],
    [
      'that the calendar describes otherwise than Windows does',
      'Pacific Standard Time',
      zone('Pacific Standard Time', ...threeHoursEast),
      '06-03T05:00 60',
    ],
    [
      'that only the calendar knows, with a line that is broken',
      'Customized Time Zone',
      zone('Customized Time Zone', 'X-NONSENSE', ...threeHoursEast, 'LAST-MODIFIED;X'),
      '06-03T05:00 60',
    ],
    [
      'that the calendar describes by nothing',
      'Tokyo Standard Time',
      zone('Tokyo Standard Time', 'BEGIN:STANDARD', 'DTSTART:nonsense', 'END:STANDARD'),
      '06-03T00:00 60',
    ],
    [
      'that changes every second since 1601',
      'Tokyo Standard Time',
      zone(
        'Tokyo Standard Time',
        'BEGIN:STANDARD',
        'DTSTART:16010101T000000',
        'TZOFFSETFROM:+0900',
        'TZOFFSETTO:+0900',
        'RRULE:FREQ=SECONDLY',
        'END:STANDARD',
      ),
      '06-03T00:00 60',
    ],
    [
      'with a colon and no quotation marks',
      '(UTC+03:00) Somewhere',
      zone('(UTC+03:00) Somewhere', ...threeHoursEast),
      '06-03T05:00 60',
    ],
  ])('%s', async (_what, name, lines, busy) => {
    expect(await read(calendar(lines, event(`DTSTART;TZID=${name}:20260603T090000`, 'DURATION:PT1H')))).toEqual({
      busy: [busy],
      free: 0,
      problem: null,
    })
  })
})

describe('a calendar', () => {
  it.each([
    ['an event without a beginning', calendar(event(...wednesday).slice(1), good)],
    ['an event that ends under another name', calendar([...event(...wednesday).slice(0, -1), 'END:VEVENTS'], good)],
    ['a beginning that goes on the line before', calendar('X-A:b', event(...wednesday).with(0, ' BEGIN:VEVENT'), good)],
  ])('with %s says so', async (_what, content) => {
    const { busy, problem } = await read(content)
    expect(busy).toContain(goodTime)
    expect(problem).toMatch(/^Lines of the calendar are out of place/)
  })

  it.each([
    [
      'in the middle of an event',
      `${calendar(good).slice(0, -'END:VCALENDAR\r\n'.length)}BEGIN:VEVENT\r\nDTSTART:20260603T0900`,
    ],
    ['between two events', calendar(good).slice(0, -'END:VCALENDAR\r\n'.length)],
  ])('that ends %s counts as far as it goes, and its owner is told', async (_where, content) => {
    expect(await read(content)).toEqual({ busy: [goodTime], free: 0, problem: expect.stringMatching(cut) })
  })

  it.each([
    ['HTML', '<!doctype html><html><body>Sign in: BEGIN:VCALENDAR END:VCALENDAR</body></html>'],
    ['nothing', ''],
    ['an address book', 'BEGIN:VCARD\r\nFN:Zoë\r\nEND:VCARD'],
    ['compressed', '\u001F\uFFFD\b\uFFFDBEGIN:VCALENDAR'],
    ['a beginning alone', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260603T090000Z'],
    ['events of which none can be read', calendar(event('DTSTART:tomorrow'), event('SUMMARY:never'))],
  ])('that is %s leaves what was read before', async (_what, content) => {
    const id = newId()
    await read(calendar(good), id)
    expect(await read(content, id, 2)).toEqual({
      busy: [goodTime],
      free: 0,
      problem: expect.stringMatching(unreadable),
    })
    expect(await read(calendar(good, event(...wednesday)), id, 3)).toEqual({
      busy: [goodTime, wednesdayTime],
      free: 0,
      problem: null,
    })
  })

  it('with more times than count says so, and the earliest count', async () => {
    const everyMinute = event('DTSTART:20260603T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY')
    const { busy, problem } = await read(calendar(everyMinute, everyMinute.toSpliced(1, 1, 'UID:2'), good))
    expect([busy.length, busy[0], problem]).toEqual([5_000, goodTime, 'Only the first 5000 times of it count.'])
  })
})
