import { expect, it } from 'vitest'
import { isCards, readCards } from './cards.ts'
import { usualLimits, type Limits } from './table.ts'

const lines = (...all: string[]): string => all.join('\r\n')
const card = (...all: string[]): string => lines('BEGIN:VCARD', ...all, 'END:VCARD', '')
const read = (text: string, limits: Partial<Limits> = {}) =>
  Array.fromAsync(readCards(text, { ...usualLimits, ...limits }))

/** Returns what a card tells, by the titles of its columns. */
async function told(...all: string[]): Promise<Record<string, unknown>> {
  const [header, row] = await read(card(...all))
  return Object.fromEntries(header!.cells.map((title, at) => [title, row!.cells[at]]))
}

it('a card of version 3.0 tells of a person', async () => {
  const person = await told(
    'VERSION:3.0',
    'N:Müller;Jürgen;Paul;Dr.;',
    'FN:Dr. Jürgen Müller',
    'ORG:Acme\\; Söhne;Sales',
    'TITLE:Head of sales',
    'EMAIL;TYPE=HOME:private@acme.example',
    'item1.EMAIL;TYPE=INTERNET,pref:jm@acme.example',
    'TEL;TYPE=CELL:+49 170 1234567',
    'TEL;TYPE=WORK,FAX:+49 30 99',
    'ADR;TYPE=WORK:;2nd floor;Main Street 1;Berlin;BE;10115;Germany',
    'BDAY:19850403',
    'CATEGORIES:VIP,Fair',
    'NOTE:One\\nTwo\\, and',
    '  three',
    'UID:urn:uuid:4fbe8971',
    'X-ABLabel:work',
  )
  expect(person).toEqual({
    'Contact ID': '4fbe8971',
    'First name': 'Jürgen',
    'Middle name': 'Paul',
    'Last name': 'Müller',
    'Name prefix': 'Dr.',
    Company: 'Acme; Söhne',
    Department: 'Sales',
    'Job title': 'Head of sales',
    Email: 'jm@acme.example',
    'Other email': 'private@acme.example',
    Phone: '+49 170 1234567',
    Fax: '+49 30 99',
    Street: 'Main Street 1',
    'Street 2': '2nd floor',
    City: 'Berlin',
    State: 'BE',
    'Postal code': '10115',
    Country: 'Germany',
    Birthday: '1985-04-03',
    Tags: 'VIP;Fair',
    Notes: 'One\nTwo, and three',
  })
})

it('a card of version 2.1 has parameters without names, and letters in quoted-printable', async () => {
  const person = await told(
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;',
    'TEL;CELL;PREF:+491701234567',
    'TEL;HOME:030123456',
    'EMAIL;INTERNET:jm@acme.example',
    'NOTE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Gr=FC=DFe, =',
    'bis bald=0D=0Amorgen',
    'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQ',
    ' ABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcU',
    'FhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj',
    '',
  )
  expect(person).toEqual({
    'First name': 'Jürgen',
    'Last name': 'Müller',
    Email: 'jm@acme.example',
    Phone: '+491701234567',
    'Other phone': '030123456',
    Notes: 'Grüße, bis bald\nmorgen',
  })
})

it('a card of version 4.0 has numbers as addresses and a preferred one', async () => {
  expect(
    await told(
      'VERSION:4.0',
      'FN:Ada Lovelace',
      'TEL;VALUE=uri;TYPE=home:tel:+44-20-7946-0000',
      'TEL;VALUE=uri;PREF=1;TYPE="voice,work":tel:+1-555-555-5555;ext=5555',
      'BDAY:--0403',
      'IMPP:sip:ada@acme.example',
    ),
  ).toEqual({
    'Full name': 'Ada Lovelace',
    Phone: '+1-555-555-5555 ext. 5555',
    'Other phone': '+44-20-7946-0000',
    Birthday: '--04-03',
    Messengers: 'sip:ada@acme.example',
  })
})

it('a card of a company alone has its name', async () => {
  expect(await told('VERSION:3.0', 'N:;;;;', 'ORG:Acme')).toEqual({ 'Full name': 'Acme', Company: 'Acme' })
})

it('the columns are those that any card tells of, and each row has the line of its card', async () => {
  const text =
    card('VERSION:3.0', 'N:Byron;Ada', 'EMAIL:ada@acme.example') + card('VERSION:3.0', 'N:Hopper;Grace', 'TEL:1 2')
  expect(isCards(text)).toBe(true)
  expect(await read(text)).toEqual([
    { line: 0, cells: ['First name', 'Last name', 'Email', 'Phone'] },
    { line: 1, cells: ['Ada', 'Byron', 'ada@acme.example', ''] },
    { line: 6, cells: ['Grace', 'Hopper', '', '1 2'] },
  ])
})

it('a card that cannot be read, or that holds too much, is a problem of its row', async () => {
  const text = card('VERSION:3.0', 'N:Byron;Ada') + card('VERSION:3.0', 'TEL;TYPE="open:1') + card('FN:Grace Hopper')
  expect(await read(text, { cellCharactersMax: 10 })).toMatchObject([
    { line: 0, cells: ['First name', 'Last name', 'Full name'] },
    { line: 1, cells: ['Ada', 'Byron', ''] },
    { line: 5, cells: [], problem: { code: 'UNREADABLE_CARD' } },
    { line: 9, cells: [], problem: { code: 'CELL_TOO_LONG', values: { cell: '3', max: '10' } } },
  ])
})

it('a card without an end counts, and too many cards are refused', async () => {
  const open = lines('BEGIN:VCARD', 'VERSION:3.0', 'N:Byron;Ada')
  expect((await read(open))[1]).toEqual({ line: 1, cells: ['Ada', 'Byron'] })
  await expect(read(card('FN:A').repeat(3), { rowsMax: 3 })).rejects.toThrow('The table has more than 3 rows')
})

it('a table that speaks of cards is none', () => {
  expect(isCards('Name;Card\nAda;BEGIN:VCARD\n')).toBe(false)
})
