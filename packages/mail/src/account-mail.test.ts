import { expect, it } from 'vitest'
import { writeAccountMail, type AccountFacts } from './account-mail.ts'
import { accountMailKinds } from './texts/account-wording.ts'
import { mailLanguages } from './texts/mail-texts.ts'

const facts: AccountFacts = {
  kind: 'invitation',
  to: { address: 'grace@acme.test' },
  workspace: {
    name: 'Acme & <Sons>',
    baseUrl: 'https://crm.acme.test',
    locale: 'de-AT',
    timezone: 'Europe/Vienna',
    timeFormat: '24h',
  },
  person: 'Ada $& Admin',
  link: { url: 'https://crm.acme.test/invite#token', expiresAt: '2026-03-01T09:00:00.000Z' },
}

it('an invitation says who invites, where to, and until when', () => {
  const { subject, text, html, isToMember } = writeAccountMail(facts)
  expect(subject).toBe('Ada $& Admin lädt Sie zu Acme & <Sons> ein')
  expect(text).toBe(
    [
      'Ada $& Admin lädt Sie ein, in Acme & <Sons> mitzuarbeiten.',
      '',
      'Der Link gilt einmal, bis: 1. März 2026 um 10:00 (Europe/Vienna)',
      '',
      'Einladung annehmen: https://crm.acme.test/invite#token',
      '',
      'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun.',
      '',
    ].join('\n'),
  )
  expect(html).toContain('Acme &amp; &lt;Sons&gt;')
  expect(html).toContain('<a href="https://crm.acme.test/invite#token"')
  expect(isToMember).toBe(false)
})

it('is written in the language, zone and time format of its reader', () => {
  const reader = { locale: 'fr', timezone: 'Asia/Tokyo', timeFormat: '12h' } as const
  const { subject, text } = writeAccountMail({ ...facts, reader })
  expect(subject).toBe('Ada $& Admin vous invite à rejoindre Acme & <Sons>')
  expect(text).toMatch(/1 mars 2026 à 0?6:00\sPM \(Asia\/Tokyo\)/)
  const unsaid = writeAccountMail({ ...facts, reader: { locale: null, timezone: null, timeFormat: null } })
  expect(unsaid).toEqual(writeAccountMail(facts))
})

it('every kind has all of its words in every language', () => {
  for (const locale of mailLanguages)
    for (const kind of accountMailKinds) {
      const event = { at: '2026-03-01T09:00:00.000Z', address: '192.0.2.1', userAgent: 'Browser/1' }
      const mail = writeAccountMail({
        ...facts,
        kind,
        name: 'Robot',
        workspace: { ...facts.workspace, locale },
        ...(kind === 'invitation' || kind === 'password-reset' ? {} : { link: undefined, event }),
      })
      expect(mail.kind).toBe(kind)
      expect(mail.subject + mail.text).not.toMatch(/[{}]|undefined/)
      expect(mail.text).toContain(mail.kind && mail.text.includes('#token') ? 'https://' : '/settings/security')
    }
})
