import { describe, expect, it } from 'vitest'
import { writeGuestMail, writeOrganizerMail, type BookingFacts } from './booking-mail.ts'
import { chooseLanguage, mailLanguages } from './texts/mail-texts.ts'

const facts: BookingFacts = {
  id: '01890000-0000-7000-8000-000000000000',
  sequence: 0,
  startAt: '2026-12-01T09:00:00.000Z',
  endAt: '2026-12-01T09:30:00.000Z',
  linkName: 'Intro; call, now',
  organizer: { name: 'Ada Admin', address: 'ada@acme.test', timezone: 'Europe/Berlin' },
  guest: {
    name: 'http://evil.example "Zoë"',
    address: 'zoe@guest.test',
    timezone: 'America/New_York',
    locale: 'de-AT',
    phone: '030 123',
  },
  answers: [
    { label: 'Company size', value: '11–50' },
    { label: 'Newsletter', value: false },
  ],
  cancelReason: 'I am ill',
  note: 'https://evil.example/<b>\nsecond line',
  joinUrl: 'https://acme.test/call/join',
  manageUrl: 'https://acme.test/book/manage/secret',
  workspace: {
    baseUrl: 'https://acme.test:8443',
    locale: 'fr',
    timeFormat: '24h',
    brand: { companyName: 'Acme & Co', logo: 'https://acme.test/logo.png', primaryColor: '#ffe14d' },
  },
  at: '2026-11-20T00:00:00.000Z',
}
const from = 'bookings@acme.test'

/** Returns the lines of a calendar part before folding. */
function unfolded(content = ''): string[] {
  return content.replaceAll('\r\n ', '').split('\r\n')
}

describe('the message to the guest', () => {
  const mail = writeGuestMail('confirmed', facts, from)

  it('speaks the language of the guest and tells the time in their zone', () => {
    expect(mail.subject).toBe(
      'Bestätigt: Intro; call, now, Dienstag, 1. Dezember 2026, 04:00–04:30 Uhr (America/New_York, UTC−5)',
    )
    expect(mail.text).toContain('Ihr Termin ist gebucht.')
  })

  it.each([
    ['America/Winnipeg', '2026-07-01T15:00:00.000Z', 'America/Winnipeg, UTC−5'],
    ['Asia/Kolkata', '2026-12-01T09:00:00.000Z', 'Asia/Kolkata, UTC+5:30'],
    ['Asia/Kathmandu', '2026-12-01T09:00:00.000Z', 'Asia/Kathmandu, UTC+5:45'],
    ['America/St_Johns', '2026-12-01T09:00:00.000Z', 'America/St_Johns, UTC−3:30'],
    ['Pacific/Kiritimati', '2026-12-01T09:00:00.000Z', 'Pacific/Kiritimati, UTC+14'],
    ['Europe/London', '2026-12-01T09:00:00.000Z', 'Europe/London, UTC'],
    ['Europe/London', '2026-07-01T09:00:00.000Z', 'Europe/London, UTC+1'],
    ['UTC', '2026-12-01T09:00:00.000Z', 'UTC'],
    // A name that only Intl still takes.
    ['AET', '2026-12-01T09:00:00.000Z', 'AET, UTC+11'],
  ])('tells how far %s is from UTC then, in every language', (timezone, startAt, told) => {
    const endAt = new Date(Date.parse(startAt) + 1_800_000).toISOString()
    for (const locale of mailLanguages) {
      const { subject } = writeGuestMail(
        'confirmed',
        { ...facts, startAt, endAt, guest: { ...facts.guest, timezone, locale } },
        from,
      )
      expect(subject).toContain(`(${told})`)
    }
  })

  it('falls back to the language of the workspace, then to English', () => {
    const guest = { ...facts.guest, locale: 'xx' }
    expect(writeGuestMail('confirmed', { ...facts, guest }, from).subject).toMatch(/^Confirmé/)
    expect(
      writeGuestMail('confirmed', { ...facts, guest, workspace: { ...facts.workspace, locale: 'xx' } }, from).subject,
    ).toMatch(/^Confirmed/)
  })

  it('has the join and the manage address, and the note as text', () => {
    expect(mail.text).toContain(facts.joinUrl)
    expect(mail.text).toContain(facts.manageUrl)
    expect(mail.html).toContain('https://evil.example/&lt;b&gt;')
    expect(mail.html).not.toContain('<b>')
  })

  it('wears the logo and the colour of the workspace, with words that can be read on it', () => {
    expect(mail.html).toContain('<img src="https://acme.test/logo.png" alt="Acme &amp; Co"')
    expect(mail.html).toContain('background:#ffe14d;color:#000000')
    const dark = { ...facts.workspace.brand, primaryColor: '#102a43', logo: 'data:image/png;base64,AA' }
    const { html } = writeGuestMail('confirmed', { ...facts, workspace: { ...facts.workspace, brand: dark } }, from)
    expect(html).toContain('background:#102a43;color:#ffffff')
    expect(html).not.toContain('<img')
    expect(html).toContain('Acme &amp; Co')
  })

  it('has buttons to join, to reschedule and to cancel, until it is cancelled', () => {
    const buttons = (html = '') =>
      [...html.matchAll(/<a[^>]* href="([^"]+)"[^>]*>([^<]+)</g)].map(([, to, name]) => [name, to])
    expect(buttons(mail.html)).toEqual([
      ['Am Videogespräch teilnehmen', facts.joinUrl],
      ['Verschieben', `${facts.manageUrl}?action=reschedule`],
      ['Termin absagen', `${facts.manageUrl}?action=cancel`],
    ])
    expect(buttons(writeGuestMail('cancelled', facts, from).html)).toEqual([])
  })

  it('has the answers in words, and the reason only of a cancellation', () => {
    expect(mail.text).toContain('Company size: 11–50\nNewsletter: Nein\n')
    expect(mail.text).not.toContain('I am ill')
    expect(writeOrganizerMail('cancelled', facts, from).text).toContain('Motif: I am ill')
  })

  it('shows the organizer as the sender and as who gets the reply', () => {
    expect(mail).toMatchObject({
      fromName: 'Ada Admin',
      replyTo: { address: 'ada@acme.test' },
      to: { address: 'zoe@guest.test' },
    })
  })
})

describe('every message', () => {
  const changes = ['confirmed', 'rescheduled', 'cancelled'] as const
  const all = mailLanguages.flatMap((locale) =>
    changes.flatMap((what) => {
      const inLanguage = { ...facts, guest: { ...facts.guest, locale }, workspace: { ...facts.workspace, locale } }
      return [writeGuestMail(what, inLanguage, from), writeOrganizerMail(what, inLanguage, from)]
    }),
  )

  it('keeps what a guest wrote out of its subject and first line', () => {
    for (const { subject, text } of all) expect(`${subject} ${text.split('\n', 1)[0]}`).not.toContain('evil')
  })

  it('has a calendar part with CRLF and lines of at most 75 octets', () => {
    for (const { icalEvent } of all) {
      const lines = icalEvent?.content.split('\r\n') ?? []
      expect(icalEvent?.content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    }
  })

  it('tells the manage address to nobody but the guest', () => {
    for (const what of changes) expect(JSON.stringify(writeOrganizerMail(what, facts, from))).not.toContain('secret')
  })
})

describe('the calendar part', () => {
  it('keeps its UID and organizer for life while the sequence rises', () => {
    const made = unfolded(writeGuestMail('confirmed', facts, from).icalEvent?.content)
    const moved = unfolded(writeGuestMail('rescheduled', { ...facts, sequence: 1 }, from).icalEvent?.content)
    const gone = unfolded(writeGuestMail('cancelled', { ...facts, sequence: 2 }, from).icalEvent?.content)
    for (const lines of [made, moved, gone]) {
      expect(lines).toContain(`UID:${facts.id}@acme.test`)
      expect(lines).toContain('ORGANIZER;CN="Ada Admin":mailto:bookings@acme.test')
    }
    expect(made).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        'SEQUENCE:0',
        'STATUS:CONFIRMED',
        'DTSTART:20261201T090000Z',
        'DTEND:20261201T093000Z',
      ]),
    )
    expect(moved).toEqual(expect.arrayContaining(['METHOD:REQUEST', 'SEQUENCE:1']))
    expect(gone).toEqual(expect.arrayContaining(['METHOD:CANCEL', 'SEQUENCE:2', 'STATUS:CANCELLED']))
  })

  it('escapes values and says where the call is', () => {
    const lines = unfolded(writeGuestMail('confirmed', facts, from).icalEvent?.content)
    expect(lines).toEqual(expect.arrayContaining(['SUMMARY:Intro\\; call\\, now', `LOCATION:${facts.joinUrl}`]))
    expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toHaveLength(2)
  })
})

it.each(['constructor', '__proto__', 'toString', 'has-own'])('%s is no language', (wish) => {
  expect(chooseLanguage(wish, 'fr')).toBe('fr')
})

it.each([
  ['en-US', '24h', /June 2, 2026.*AM/],
  ['en-GB', '12h', /2 June 2026(?!.*[AP]M)/i],
  ['en', '12h', /AM/],
  ['fr-CA', '12h', / h /],
] as const)('tells a guest of %s the time as their region does', (locale, timeFormat, told) => {
  const startAt = '2026-06-02T00:30:00.000Z'
  const meeting = { ...facts, startAt, endAt: '2026-06-02T01:00:00.000Z' }
  const guest = { ...facts.guest, locale, timezone: 'UTC' }
  const mail = writeGuestMail('confirmed', { ...meeting, guest, workspace: { ...facts.workspace, timeFormat } }, from)
  expect(mail.text).toMatch(told)
})
