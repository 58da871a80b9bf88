import { describe, expect, it } from 'vitest'
import { clockTimes } from './recurrence.ts'
import { readClockTime, readRule } from './recurrence-rule.ts'

const usualStart = '19970902T090000'

/** Returns the first times of a rule, as MM-DD of 1997 or with their year, and with their time where it is not 09:00. */
function timesOf(text: string, start: string, most: number, years = 14): string[] {
  const { rule } = readRule(text)
  const begin = readClockTime(start).clockMs
  const end = rule.until ? rule.until.clockMs - (rule.until.isUtc ? 4 * 3_600_000 : 0) : Infinity
  const span = { fromMs: begin, untilMs: begin + years * 365.25 * 86_400_000 }
  const found: string[] = []
  for (const clockMs of clockTimes(rule, { clockMs: begin, counts: false }, span, Infinity)) {
    if (clockMs > end || found.length === most) break
    found.push(
      new Date(clockMs)
        .toISOString()
        .slice(0, 16)
        .replace('T09:00', '')
        .replace(/^1997-/, ''),
    )
  }
  return found
}

/** `9: 2 3` is 2 and 3 September 1997, `1998-1: 5` is 5 January 1998. */
function dates(text: string): string[] {
  return text.split('; ').flatMap((month) => {
    const [, year, number = '', days = ''] = /^(?:(\d{4})-)?(\d+): (.*)$/.exec(month) ?? []
    return days.split(' ').map((day) => `${year ? `${year}-` : ''}${number.padStart(2, '0')}-${day.padStart(2, '0')}`)
  })
}

const from = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, n) => first + n * step).join(' ')

// The examples of RFC 5545, 3.8.5.3, in its order, as corrected by its errata; those without an end are cut.
describe('the standard’s rule', () => {
  it.each<[rule: string, expected: string, start?: string]>([
    ['FREQ=DAILY;COUNT=10', `9: ${from(2, 11)}`],
    [
      'FREQ=DAILY;UNTIL=19971224T000000Z',
      `9: ${from(2, 30)}; 10: ${from(1, 31)}; 11: ${from(1, 30)}; 12: ${from(1, 23)}`,
    ],
    ['FREQ=DAILY;INTERVAL=2', `9: ${from(2, 30, 2)}; 10: ${from(2, 30, 2)}; 11: 1 3`],
    ['FREQ=DAILY;INTERVAL=10;COUNT=5', '9: 2 12 22; 10: 2 12'],
    [
      'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
      `1998-1: ${from(1, 31)}; 1999-1: ${from(1, 31)}; 2000-1: ${from(1, 31)}`,
      '19980101T090000',
    ],
    [
      'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
      `1998-1: ${from(1, 31)}; 1999-1: ${from(1, 31)}; 2000-1: ${from(1, 31)}`,
      '19980101T090000',
    ],
    ['FREQ=WEEKLY;COUNT=10', '9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4'],
    ['FREQ=WEEKLY;UNTIL=19971224T000000Z', '9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4 11 18 25; 12: 2 9 16 23'],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', '9: 2 16 30; 10: 14 28; 11: 11 25; 12: 9 23; 1998-1: 6 20; 1998-2: 3'],
    ['FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', '9: 2 4 9 11 16 18 23 25 30; 10: 2'],
    ['FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH', '9: 2 4 9 11 16 18 23 25 30; 10: 2'],
    [
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
      '9: 1 3 5 15 17 19 29; 10: 1 3 13 15 17 27 29 31; 11: 10 12 14 24 26 28; 12: 8 10 12 22',
      '19970901T090000',
    ],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '9: 2 4 16 18 30; 10: 2 14 16'],
    [
      'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
      '9: 5; 10: 3; 11: 7; 12: 5; 1998-1: 2; 1998-2: 6; 1998-3: 6; 1998-4: 3; 1998-5: 1; 1998-6: 5',
      '19970905T090000',
    ],
    ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', '9: 5; 10: 3; 11: 7; 12: 5', '19970905T090000'],
    [
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      '9: 7 28; 11: 2 30; 1998-1: 4 25; 1998-3: 1 29; 1998-5: 3 31',
      '19970907T090000',
    ],
    ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '9: 22; 10: 20; 11: 17; 12: 22; 1998-1: 19; 1998-2: 16', '19970922T090000'],
    ['FREQ=MONTHLY;BYMONTHDAY=-3', '9: 28; 10: 29; 11: 28; 12: 29; 1998-1: 29; 1998-2: 26', '19970928T090000'],
    ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15', '9: 2 15; 10: 2 15; 11: 2 15; 12: 2 15; 1998-1: 2 15'],
    [
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      '9: 30; 10: 1 31; 11: 1 30; 12: 1 31; 1998-1: 1 31; 1998-2: 1',
      '19970930T090000',
    ],
    [
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      '9: 10 11 12 13 14 15; 1999-3: 10 11 12 13',
      '19970910T090000',
    ],
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU', '9: 2 9 16 23 30; 11: 4 11 18 25; 1998-1: 6 13 20 27; 1998-3: 3 10 17 24 31'],
    [
      'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
      '6: 10; 7: 10; 1998-6: 10; 1998-7: 10; 1999-6: 10; 1999-7: 10; 2000-6: 10; 2000-7: 10; 2001-6: 10; 2001-7: 10',
      '19970610T090000',
    ],
    [
      'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
      '3: 10; 1999-1: 10; 1999-2: 10; 1999-3: 10; 2001-1: 10; 2001-2: 10; 2001-3: 10; 2003-1: 10; 2003-2: 10; 2003-3: 10',
      '19970310T090000',
    ],
    [
      'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
      '1: 1; 4: 10; 7: 19; 2000-1: 1; 2000-4: 9; 2000-7: 18; 2003-1: 1; 2003-4: 10; 2003-7: 19; 2006-1: 1',
      '19970101T090000',
    ],
    ['FREQ=YEARLY;BYDAY=20MO', '5: 19; 1998-5: 18; 1999-5: 17', '19970519T090000'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '5: 12; 1998-5: 11; 1999-5: 17', '19970512T090000'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '3: 13 20 27; 1998-3: 5 12 19 26; 1999-3: 4 11 18 25', '19970313T090000'],
    [
      'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
      `6: 5 12 19 26; 7: 3 10 17 24 31; 8: 7 14 21 28; 1998-6: 4 11 18 25; 1998-7: 2 9 16 23 30; 1998-8: 6 13 20 27`,
      '19970605T090000',
    ],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-2: 13; 1998-3: 13; 1998-11: 13; 1999-8: 13; 2000-10: 13'],
    [
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      '9: 13; 10: 11; 11: 8; 12: 13; 1998-1: 10; 1998-2: 7; 1998-3: 7; 1998-4: 11; 1998-5: 9; 1998-6: 13',
      '19970913T090000',
    ],
    [
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '1996-11: 5; 2000-11: 7; 2004-11: 2',
      '19961105T090000',
    ],
    ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '9: 4; 10: 7; 11: 6', '19970904T090000'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
      '9: 29; 10: 30; 11: 27; 12: 30; 1998-1: 29; 1998-2: 26; 1998-3: 30',
      '19970929T090000',
    ],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '8: 5 10 19 24', '19970805T090000'],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '8: 5 17 19 31', '19970805T090000'],
    ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007-1: 15 30; 2007-2: 15; 2007-3: 15 30', '20070115T090000'],
  ])('%s', (rule, expected, start = usualStart) => {
    const wanted = dates(expected)
    const isEndless = !/COUNT|UNTIL/.test(rule)
    expect(timesOf(rule, start, isEndless ? wanted.length : 1_000)).toEqual(wanted)
  })

  it.each([
    ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', ['09-02', '09-02T12:00', '09-02T15:00']],
    [
      'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
      ['09-02', '09-02T09:15', '09-02T09:30', '09-02T09:45', '09-02T10:00', '09-02T10:15'],
    ],
    ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', ['09-02', '09-02T10:30', '09-02T12:00', '09-02T13:30']],
  ])('%s', (rule, expected) => {
    expect(timesOf(rule, usualStart, 1_000)).toEqual(expected)
  })

  it.each([
    'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
    'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
  ])('%s', (rule) => {
    const ofDay = (day: string) =>
      Array.from({ length: 24 }, (_, n) => {
        const time = new Date(n * 20 * 60_000 + 9 * 3_600_000).toISOString().slice(10, 16)
        return `${day}${time}`.replace('T09:00', '')
      })
    expect(timesOf(rule, usualStart, 48, 0.1)).toEqual([...ofDay('09-02'), ...ofDay('09-03')])
  })
})

describe('a rule', () => {
  // RFC 7529, 4.1 and 6.
  it.each([
    [
      'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=FORWARD',
      '20160229T090000',
      ['2016-02-29', '2017-03-01', '2018-03-01', '2019-03-01', '2020-02-29'],
    ],
    [
      'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD',
      '20160229T090000',
      ['2016-02-29', '2017-02-28', '2018-02-28', '2019-02-28', '2020-02-29'],
    ],
    ['FREQ=YEARLY', '20160229T090000', ['2016-02-29', '2020-02-29', '2024-02-29']],
    [
      'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=4',
      '20140131T090000',
      ['2014-01-31', '2014-02-28', '2014-03-31', '2014-04-30'],
    ],
    [
      'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD;COUNT=4',
      '20140131T090000',
      ['2014-01-31', '2014-03-01', '2014-03-31', '2014-05-01'],
    ],
    // Each day of the list counts by itself (RFC 5545, 3.3.10).
    ['FREQ=MONTHLY;BYDAY=1MO,FR;COUNT=4', '20260302T090000', ['2026-03-02', '2026-03-06', '2026-03-13', '2026-03-20']],
    ['FREQ=YEARLY;BYWEEKNO=21', '20270524T090000', ['2027-05-24', '2028-05-22']],
    ['FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', '20200101T090000', ['2020-12-28', '2026-12-28']],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1;COUNT=2', '20260302T090000', ['2026-03-06', '2026-03-13']],
    // A set begins with its week, even where the event does not (RFC 5545, 3.3.10); seed 2 of the judged rules.
    ['FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH;BYSETPOS=2', '20261007T090000', ['2026-10-08', '2026-10-29']],
    ['FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=2;COUNT=3', '20261008T090000', ['2026-10-08', '2026-10-15', '2026-10-22']],
    ['FREQ=WEEKLY;BYDAY=WE,SU;BYSETPOS=1;COUNT=2', '20260305T090000', ['2026-03-11', '2026-03-18']],
    ['FREQ=DAILY;INTERVAL=7;BYDAY=TU', '20260302T090000', []],
  ])('%s', (rule, start, expected) => {
    expect(timesOf(rule, start, Math.max(1, expected.length))).toEqual(expected)
  })

  // The day of the week is that of the beginning, however many years later.
  it.each([
    ['20240218T090000', '2026-03-01'],
    ['20240219T090000', '2026-02-23'],
    ['20240222T090000', '2026-02-26'],
  ])('of a week without a day, from %s', (start, expected) => {
    const { rule } = readRule('FREQ=YEARLY;BYWEEKNO=9')
    const span = { fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 11, 1) }
    const clock = { clockMs: readClockTime(start).clockMs, counts: false }
    expect([...clockTimes(rule, clock, span, Infinity)].map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
      expected,
    ])
  })

  it('whose days the library would leave out or add is said to be followed in part', () => {
    expect(readRule('FREQ=WEEKLY;BYDAY=WE,SU;BYSETPOS=2;COUNT=4').isWhole).toBe(true)
    expect(readRule('FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=FORWARD').isWhole).toBe(false)
    expect(readRule('FREQ=YEARLY;BYMONTHDAY=8;BYDAY=1FR').isWhole).toBe(false)
    expect(readRule('FREQ=YEARLY;BYYEARDAY=59;BYDAY=SU').isWhole).toBe(false)
    expect(readRule('FREQ=YEARLY;BYYEARDAY=59;BYMONTHDAY=1').isWhole).toBe(false)
    expect(readRule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=FORWARD').isWhole).toBe(true)
  })

  it.each([
    'every week',
    'FREQ=FORTNIGHTLY',
    'FREQ=constructor',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;INTERVAL=-1',
    'FREQ=DAILY;INTERVAL=99999999',
    'FREQ=DAILY;UNTIL=20260231',
    'FREQ=MONTHLY;BYWEEKNO=3',
    'FREQ=WEEKLY;BYMONTHDAY=3',
    'FREQ=WEEKLY;BYDAY=2MO',
    'FREQ=DAILY;BYYEARDAY=3',
    'FREQ=YEARLY;BYWEEKNO=3;BYDAY=2MO',
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=YEARLY;BYMONTH=5L;RSCALE=HEBREW',
    'FREQ=MONTHLY;BYDAY=0MO',
    'FREQ=MONTHLY;BYDAY=XX',
    'FREQ=DAILY;SKIP=SIDEWAYS',
  ])('%s is refused', (rule) => {
    expect(() => readRule(rule)).toThrow(RangeError)
  })
})
