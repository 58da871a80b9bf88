import { describe, expect, it } from 'vitest'
import { eventsMax, expandCalendar, type ExternalEvent } from './expand-calendar.ts'

const options = {
  timezone: 'Europe/Berlin',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-05-01T00:00:00.000Z',
  owner: { addresses: [], bookings: [] },
}

function calendar(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event, at) => [
    'BEGIN:VEVENT',
    ...(event.some((line) => line.startsWith('UID')) ? [] : [`UID:event-${at}`]),
    ...event,
    'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

const expand = (...events: readonly (readonly string[])[]): ExternalEvent[] =>
  expandCalendar(calendar(...events), options).events
const starts = (events: readonly ExternalEvent[]) => events.map(({ startAt }) => startAt)

describe('a single event', () => {
  it.each([
    [
      'UTC',
      'DTSTART:20260310T090000Z',
      'DTEND:20260310T100000Z',
      '2026-03-10T09:00:00.000Z',
      '2026-03-10T10:00:00.000Z',
    ],
    [
      'an IANA zone',
      'DTSTART;TZID=America/New_York:20260310T090000',
      'DTEND;TZID=America/New_York:20260310T100000',
      '2026-03-10T13:00:00.000Z',
      '2026-03-10T14:00:00.000Z',
    ],
    [
      'a zone with a path',
      'DTSTART;TZID=/freeassociation.example/Asia/Tokyo:20260310T090000',
      'DURATION:PT45M',
      '2026-03-10T00:00:00.000Z',
      '2026-03-10T00:45:00.000Z',
    ],
    [
      'no zone: that of its owner',
      'DTSTART:20260310T090000',
      'DTEND:20260310T100000',
      '2026-03-10T08:00:00.000Z',
      '2026-03-10T09:00:00.000Z',
    ],
    [
      'different zones',
      'DTSTART;TZID=Europe/London:20260310T090000',
      'DTEND;TZID=Europe/Berlin:20260310T110000',
      '2026-03-10T09:00:00.000Z',
      '2026-03-10T10:00:00.000Z',
    ],
  ])('in %s', (_zone, start, end, startAt, endAt) => {
    expect(expand([start, end, 'SUMMARY:Dentist\\, again'])).toEqual([
      { title: 'Dentist, again', startAt, endAt, allDay: false, startDate: null, endDate: null, busy: true },
    ])
  })

  it('of whole days has its dates, the last one included', () => {
    const events = expand(
      ['DTSTART;VALUE=DATE:20260403', 'DTEND;VALUE=DATE:20260407', 'SUMMARY:Easter'],
      ['DTSTART;VALUE=DATE:20260410'],
    )
    expect(events).toMatchObject([
      {
        title: 'Easter',
        allDay: true,
        startDate: '2026-04-03',
        endDate: '2026-04-06',
        startAt: '2026-04-03T00:00:00.000Z',
        endAt: '2026-04-07T00:00:00.000Z',
      },
      { allDay: true, startDate: '2026-04-10', endDate: '2026-04-10' },
    ])
  })

  it('takes a zone that only the calendar knows', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ]
    const event = (day: string) => [`DTSTART;TZID=W. Europe Standard Time:${day}T090000`, 'DURATION:PT1H']
    const text = calendar(event('20260327'), event('20260330')).replace(
      'BEGIN:VEVENT',
      `${zone.join('\r\n')}\r\nBEGIN:VEVENT`,
    )
    expect(starts(expandCalendar(text, { ...options, timezone: 'Asia/Tokyo' }).events)).toEqual([
      '2026-03-27T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ])
  })

  it.each([
    ['TRANSP:TRANSPARENT', [false]],
    ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', [false]],
    ['STATUS:TENTATIVE', [true]],
    ['STATUS:CANCELLED', []],
    ['UID:0199a0b0-0000-7000-8000-000000000000@elsewhere.test', [true]],
  ])('with %s', (line, busy) => {
    expect(expand(['DTSTART:20260310T090000Z', 'DTEND:20260310T100000Z', line]).map((event) => event.busy)).toEqual(
      busy,
    )
  })

  it('counts when it touches the window, and not when it takes no time', () => {
    const events = expand(
      ['DTSTART:20260228T230000Z', 'DTEND:20260301T000000Z'],
      ['DTSTART:20260228T230000Z', 'DTEND:20260301T000001Z'],
      ['DTSTART:20260501T000000Z', 'DTEND:20260501T010000Z'],
      ['DTSTART:20260410T090000Z', 'DTEND:20260410T090000Z'],
      ['SUMMARY:never'],
    )
    expect(starts(events)).toEqual(['2026-02-28T23:00:00.000Z'])
  })
})

describe('a recurring event', () => {
  it('keeps its hour of the day over a change of the clock', () => {
    const events = expand([
      'DTSTART;TZID=Europe/Berlin:20250101T090000',
      'DURATION:PT30M',
      'RRULE:FREQ=WEEKLY;BYDAY=FR',
    ])
    expect(starts(events).filter((start) => start >= '2026-03-20' && start < '2026-04-04')).toEqual([
      '2026-03-20T08:00:00.000Z',
      '2026-03-27T08:00:00.000Z',
      '2026-04-03T07:00:00.000Z',
    ])
  })

  it('leaves out and adds what it says', () => {
    const events = expand([
      'DTSTART:20260302T090000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20260303T090000Z',
      'RDATE:20260310T150000Z',
    ])
    expect(starts(events)).toEqual([
      '2026-03-02T09:00:00.000Z',
      '2026-03-04T09:00:00.000Z',
      '2026-03-05T09:00:00.000Z',
      '2026-03-10T15:00:00.000Z',
    ])
  })

  it('leaves out what is both added and left out, by its rule too (RFC 5545, 3.8.5.1)', () => {
    const day = ['DTSTART;VALUE=DATE:20261024', 'RRULE:FREQ=DAILY;INTERVAL=3;COUNT=4', 'EXDATE;VALUE=DATE:20261102']
    const left = ['2026-10-24', '2026-10-27', '2026-10-30'].map((one) => `${one}T00:00:00.000Z`)
    const { events } = expandCalendar(calendar(day), { ...options, to: '2027-01-01T00:00:00.000Z' })
    const both = expandCalendar(calendar([...day, 'RDATE;VALUE=DATE:20261102']), {
      ...options,
      to: '2027-01-01T00:00:00.000Z',
    })
    expect([starts(events), starts(both.events)]).toEqual([left, left])
  })

  it('lasts hours as they pass while clocks show one twice (RFC 5545, 3.3.6)', () => {
    const night = ['DTSTART;TZID=America/New_York:20261031T233000', 'DURATION:PT90M']
    const { events } = expandCalendar(calendar(night), { ...options, to: '2027-01-01T00:00:00.000Z' })
    expect(events).toMatchObject([{ startAt: '2026-11-01T03:30:00.000Z', endAt: '2026-11-01T05:00:00.000Z' }])
  })

  const weekOfThree = ['DTSTART;TZID=Europe/Berlin:20260302T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3']
  const [monday, tuesday, wednesday] = [
    '2026-03-02T08:00:00.000Z',
    '2026-03-03T08:00:00.000Z',
    '2026-03-04T08:00:00.000Z',
  ] as const

  it.each([
    'EXDATE;TZID=Europe/Berlin:20260303T090000',
    'EXDATE:20260303T080000Z',
    'EXDATE;TZID=Asia/Tokyo:20260303T170000',
    'EXDATE;VALUE=DATE:20260303',
    'EXDATE;TZID=Europe/Berlin:20260101T090000,20260303T090000',
  ])('leaves out a day however it is told: %s', (line) => {
    expect(starts(expand([...weekOfThree, line]))).toEqual([monday, wednesday])
  })

  // Each begins on Monday, 2 March at 09:00, which counts even if the rule leaves it out.
  it.each([
    ['FREQ=DAILY;BYDAY=TU,TH;COUNT=4', ['02T09', '03T09', '05T09', '10T09']],
    ['FREQ=DAILY;BYMONTHDAY=-1;COUNT=2', ['02T09', '31T09']],
    ['FREQ=DAILY;BYMONTHDAY=5,12;BYDAY=TH;COUNT=3', ['02T09', '05T09', '12T09']],
    ['FREQ=HOURLY;BYHOUR=9,15;BYDAY=WE;COUNT=4', ['02T09', '04T09', '04T15', '11T09']],
    ['FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYMINUTE=0,30;BYDAY=MO;COUNT=3', ['02T09', '02T09', '09T09']],
    ['FREQ=WEEKLY;BYDAY=MO,WE;BYMONTH=3;COUNT=3', ['02T09', '04T09', '09T09']],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=TU;BYMONTHDAY=4', ['02T09']],
  ])('leaves out what its limits leave out: %s', (rule, expected) => {
    const found = starts(expand(['DTSTART:20260302T090000Z', 'DURATION:PT1H', `RRULE:${rule}`]))
    expect(found.slice(0, expected.length).map((start) => start.slice(8, 13))).toEqual(expected)
  })

  it.each(['20260304T080000Z', '20260304T090000', '20260304'])(
    'takes place a last time at its end, UNTIL=%s',
    (until) => {
      expect(starts(expand([...weekOfThree.slice(0, 2), `RRULE:FREQ=DAILY;UNTIL=${until}`]))).toEqual([
        monday,
        tuesday,
        wednesday,
      ])
    },
  )

  it('ends before a moment that is the evening before on its own clock', () => {
    const events = expand([
      'DTSTART;TZID=America/New_York:20260302T210000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;UNTIL=20260305T015959Z',
    ])
    expect(starts(events)).toEqual(['2026-03-03T02:00:00.000Z', '2026-03-04T02:00:00.000Z'])
  })

  it.each([
    ['RDATE:20260305T120000Z', '2026-03-05T12:00:00.000Z', '2026-03-05T13:00:00.000Z'],
    ['RDATE;TZID=Europe/Berlin:20260305T120000', '2026-03-05T11:00:00.000Z', '2026-03-05T12:00:00.000Z'],
    ['RDATE;VALUE=PERIOD:20260305T120000Z/PT2H', '2026-03-05T12:00:00.000Z', '2026-03-05T14:00:00.000Z'],
  ])('takes place where it begins and on days more, each by its own clock: %s', (line, startAt, endAt) => {
    expect(expand([...weekOfThree.slice(0, 2), line])).toMatchObject([{ startAt: monday }, { startAt, endAt }])
  })

  it('of whole days leaves out a day that is told with a time', () => {
    const events = expand([
      'DTSTART;VALUE=DATE:20260302',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE;TZID=Europe/Berlin:20260303T000000',
    ])
    expect(events.map(({ startDate }) => startDate)).toEqual(['2026-03-02', '2026-03-04'])
  })

  it('of every hour goes on after ten years', () => {
    expect(
      starts(expand(['DTSTART;TZID=Europe/Berlin:20160302T090000', 'DURATION:PT1M', 'RRULE:FREQ=HOURLY']))[0],
    ).toBe('2026-03-01T00:00:00.000Z')
  })

  it('lets single occurrences be moved, into the window too, and cancelled', () => {
    const events = expand(
      [
        'UID:series',
        'DTSTART;TZID=Europe/Berlin:20260302T090000',
        'DURATION:PT1H',
        'RRULE:FREQ=WEEKLY;COUNT=12',
        'SUMMARY:Weekly',
      ],
      [
        'UID:series',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000',
        'DTSTART;TZID=Europe/Berlin:20260310T140000',
        'DURATION:PT2H',
        'SUMMARY:Moved',
      ],
      [
        'UID:series',
        'RECURRENCE-ID:20260316T080000Z',
        'DTSTART;TZID=Europe/Berlin:20260316T090000',
        'DURATION:PT1H',
        'STATUS:CANCELLED',
      ],
      [
        'UID:series',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260504T090000',
        'DTSTART;TZID=Europe/Berlin:20260430T090000',
        'DURATION:PT1H',
        'SUMMARY:Earlier',
      ],
    )
    expect(starts(events).slice(0, 3)).toEqual([
      '2026-03-02T08:00:00.000Z',
      '2026-03-10T13:00:00.000Z',
      '2026-03-23T08:00:00.000Z',
    ])
    expect(events.at(-1)).toMatchObject({ title: 'Earlier', startAt: '2026-04-30T07:00:00.000Z' })
  })

  it('lets an occurrence be moved with all that come after it', () => {
    const events = expand(
      ['UID:series', 'DTSTART;TZID=Europe/Berlin:20260302T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=5'],
      [
        'UID:series',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260304T090000',
        'DTSTART;TZID=Europe/Berlin:20260304T150000',
        'DURATION:PT2H',
        'SUMMARY:Later',
      ],
      [
        'UID:series',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260305T090000',
        'DTSTART;TZID=Europe/Berlin:20260305T110000',
        'DURATION:PT1H',
      ],
    )
    expect(starts(events)).toEqual([
      monday,
      tuesday,
      '2026-03-04T14:00:00.000Z',
      '2026-03-05T10:00:00.000Z',
      '2026-03-06T14:00:00.000Z',
    ])
    expect(events.at(-1)).toMatchObject({ title: 'Later', endAt: '2026-03-06T16:00:00.000Z' })
  })

  it('of whole days recurs by dates', () => {
    const events = expand([
      'DTSTART;VALUE=DATE:20200315',
      'RRULE:FREQ=YEARLY',
      'SUMMARY:Birthday',
      'TRANSP:TRANSPARENT',
    ])
    expect(events).toMatchObject([{ startDate: '2026-03-15', endDate: '2026-03-15', busy: false }])
  })

  it('takes no more than its share', () => {
    expect(expand(['DTSTART:20260301T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY'])).toHaveLength(eventsMax)
  })

  it('that is more than its share says so, wherever it began', () => {
    const hourly = calendar(['DTSTART:20200301T003000Z', 'DURATION:PT1H', 'RRULE:FREQ=MINUTELY;INTERVAL=10'])
    const { events, problem } = expandCalendar(hourly, options)
    expect([events.length, events[0]?.startAt, problem]).toEqual([
      eventsMax,
      '2026-02-28T23:10:00.000Z',
      `Only the first ${eventsMax} times of it count.`,
    ])
  })

  it('counts where it begins when all of them take too long, and those that do not recur count as ever', () => {
    const endless = Array.from({ length: 50 }, () => [
      'DTSTART:20260310T090000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=20',
    ])
    const { events, problem } = expandCalendar(calendar(...endless, ['DTSTART:20260401T090000Z', 'DURATION:PT1H']), {
      ...options,
      recurWithinMs: 0,
    })
    expect(new Set(starts(events))).toEqual(new Set(['2026-03-10T09:00:00.000Z', '2026-04-01T09:00:00.000Z']))
    expect(problem).toMatch(/^Read only in part.*: 50 of 51 events\.$/)
  })
})

describe('what is no calendar', () => {
  it.each(['', '<html>', 'BEGIN:VCARD\r\nEND:VCARD', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT'])('%j is refused', (text) => {
    expect(() => expandCalendar(text, options)).toThrow(/calendar|invalid|component/i)
  })
})
