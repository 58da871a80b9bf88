import {
  choice,
  currency,
  day,
  domain,
  email,
  flag,
  instant,
  integer,
  money,
  parts,
  percent,
  phone,
  phones,
  reference,
  references,
  tags,
  text,
  type Field,
} from '@crm/model'
import * as z from 'zod'
import { expect, it } from 'vitest'
import { valueOfCell, type CellValue, type Conversion } from './convert.ts'
import type { Cell } from './table.ts'

const known: Readonly<Record<string, readonly string[]>> = {
  'COMPANY Acme GmbH': ['01890000-0000-7000-8000-000000000001'],
  'COMPANY Globex': ['01890000-0000-7000-8000-000000000002', '01890000-0000-7000-8000-000000000003'],
  'CONTACT Ada': ['01890000-0000-7000-8000-000000000004'],
}
const conversion: Conversion = {
  format: { order: 'day first', decimal: ',' },
  country: 'DE',
  zone: 'Europe/Berlin',
  currencies: ['EUR', 'USD'],
  choices: [{ value: 'HOT', labels: ['Very interested', 'Heiß'] }],
  find: (target, text) => known[`${target} ${text}`] ?? [],
}
const convert = (cell: Cell, field: Field, other: Partial<Conversion> = {}) =>
  valueOfCell(cell, field, { ...conversion, ...other })

const name = text({ max: 10, holds: 'name' })
const company = reference({ to: 'COMPANY' })
const rating = choice({ values: ['HOT', 'COLD'] })
const price = money({ unsigned: true })
const [acme, ada] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000004']

it.each<[string, Cell, Field, CellValue]>([
  ['a text', '  Cafe\u0301 ', name, { value: 'Café' }],
  ['a text that a spreadsheet must not read', "'=1+1", name, { value: '=1+1' }],
  ['a formula as a text', '=1+1', name, { value: '=1+1' }],
  ['an apostrophe of a name', "'t Hart", name, { value: "'t Hart" }],
  ['a number for a text', { type: 'number', text: '42' }, name, { value: '42' }],
  ['an empty cell', '', name, { value: null }],
  ['a placeholder', 'N/A', name, { value: null }],
  ['an address', 'Ada <ada@acme.example>', email({ holds: 'person' }), { value: 'ada@acme.example' }],
  [
    'several addresses',
    'a@x.example; b@x.example',
    email({ holds: 'person' }),
    { value: 'a@x.example', further: ['b@x.example'] },
  ],
  ['a phone', '030 / 1234567 Durchwahl 12', phone({ holds: 'person' }), { value: '+49301234567', extension: '12' }],
  [
    'several phones',
    '030 1234567; +33 1 42 68 53 00',
    phone({ holds: 'person' }),
    { value: '+49301234567', further: ['+33142685300'] },
  ],
  ['an amount', '€ 1.234,50', price, { value: '1234.50', currency: 'EUR' }],
  [
    'an amount of a sheet',
    { type: 'number', text: '1234.5', currency: '€' },
    price,
    { value: '1234.5', currency: 'EUR' },
  ],
  ['an amount whose currency is open', '$ 12', price, { value: '12', currency: '$' }],
  ['a currency', '€', currency({}), { value: 'EUR' }],
  ['a currency in small letters', 'usd', currency({}), { value: 'USD' }],
  ['a per cent', '20 %', percent({}), { value: 20 }],
  ['a whole number', '1.234', integer({}), { value: 1234 }],
  ['a word for yes', 'Ja', flag({}), { value: true }],
  ['a flag of a sheet', { type: 'flag', text: 'false' }, flag({}), { value: false }],
  ['a day', '03/04/2026', day({}), { value: '2026-04-03' }],
  ['a day of a sheet', { type: 'day', text: '2026-04-03' }, day({}), { value: '2026-04-03' }],
  ['a moment', '03.04.2026 14:30', instant({}), { value: '2026-04-03T12:30:00.000Z' }],
  [
    'a moment of a sheet',
    { type: 'moment', text: '2026-04-03T14:30:00' },
    instant({}),
    { value: '2026-04-03T12:30:00.000Z' },
  ],
  ['a choice by its label', 'heiß', rating, { value: 'HOT' }],
  ['a choice by its value', 'cold', rating, { value: 'COLD' }],
  ['a website', 'https://www.Acme.example/about', domain({ holds: 'name' }), { value: 'acme.example' }],
  ['a company by its name', 'Acme GmbH', company, { value: acme }],
  ['several contacts', 'Ada; Ada', references({ to: 'CONTACT', max: 5 }), { value: [ada] }],
  ['tags', 'a, b; a', tags({}), { value: ['a', 'b'] }],
  [
    'further phones',
    '+4930123456; +4930123457',
    phones({ holds: 'person' }),
    { value: ['+4930123456', '+4930123457'] },
  ],
])('%s becomes a value', (_, cell, field, value) => {
  expect(convert(cell, field)).toEqual({ value })
})

it.each<[string, Cell, Field, string]>([
  ['a long text', 'x'.repeat(10_000), name, `“${'x'.repeat(60)}…” has more than 10 characters`],
  ['a control character', 'a\u0007b', name, 'The cell has signs that no text holds'],
  ['bytes that are no letters', 'a\ufdd0', name, 'The cell has bytes that are no letters'],
  ['an error of a sheet', { type: 'error', text: '#REF!' }, name, 'The spreadsheet has an error in this cell, #REF!'],
  ['a bad address', 'ada', email({ holds: 'person' }), '“ada” is no email address'],
  ['one bad address of two', 'a@x.example; ada', email({ holds: 'person' }), '“ada” is no email address'],
  [
    'a phone in letters',
    'CALL ME',
    phone({ holds: 'person' }),
    '“CALL ME” has letters, and a phone number has digits only',
  ],
  ['a negative amount', '-12', price, '“-12” is below zero'],
  [
    'too many decimals',
    '1,2345678',
    price,
    '“1,2345678” has more than 12 digits before the decimals, or more than 6 of these',
  ],
  ['a per cent for an amount', '12 %', price, '“12 %” is a per cent, where an amount is meant'],
  [
    'a long number',
    '12345678901234567890',
    integer({}),
    '“12345678901234567890” has more than 15 digits, and a number would lose some of them',
  ],
  ['a part of a whole', '1,5', integer({}), '“1,5” is no whole number'],
  ['a number out of bounds', '12', integer({ min: 0, max: 10 }), '“12” is not at least 0 and at most 10'],
  ['a per cent beyond all', '120 %', percent({}), '“120 %” is not from 0 to 100'],
  ['an unknown currency', 'XXX', currency({}), 'There is no currency “XXX”'],
  ['a word for neither', 'maybe', flag({}), '“maybe” says neither yes nor no'],
  ['no date', 'soon', day({}), '“soon” is no date'],
  [
    'a time for a day',
    { type: 'moment', text: '2026-04-03T14:30:00' },
    day({}),
    '“2026-04-03T14:30:00” has a time of day, where only a day is meant',
  ],
  ['no choice', 'warm', rating, '“warm” is none of the choices'],
  ['no website', 'acme', domain({ holds: 'name' }), '“acme” is no address of a website'],
  ['an unknown company', 'Initech', company, 'There is no company “Initech”'],
  ['two companies', 'Globex', company, 'There is more than one company “Globex”'],
  ['too many references', 'Ada; Acme', references({ to: 'CONTACT', max: 5 }), 'There is no contact “Acme”'],
  [
    'too many tags',
    Array.from({ length: 51 }, (_, at) => `t${at}`).join(';'),
    tags({}),
    'The cell has more than 50 values',
  ],
  ['a bad further phone', '030', phones({ holds: 'person' }), '“030” does not fit this field'],
  [
    'a field of many parts',
    'x',
    parts({ holds: 'prose' }, z.string(), z.string()),
    'A single cell cannot hold this field',
  ],
  ['a field of the service', '3', integer({ written: 'never' }), 'The service writes this field by itself'],
])('%s is refused in words', (_, cell, field, problem) => {
  expect(convert(cell, field)).toMatchObject({ problem })
})

it('a date of two meanings is a question until somebody chose', () => {
  const format = {}
  expect(convert('03/04/2026', day({}), { format })).toMatchObject({
    problem: '“03/04/2026” can be two days; choose whether the day or the month comes first',
  })
  expect(convert('29/04/2026', day({}), { format })).toEqual({ value: { value: '2026-04-29' } })
  expect(convert('04/29/2026', day({}), { format })).toEqual({ value: { value: '2026-04-29' } })
  expect(convert('2026-04-03', instant({}), { format, zone: 'UTC' })).toEqual({
    value: { value: '2026-04-03T00:00:00.000Z' },
  })
})

it('a number of two meanings is a question until somebody chose', () => {
  const format = {}
  expect(convert('1.234', money({}), { format })).toMatchObject({
    problem: '“1.234” can be two numbers; choose the sign before the decimals',
  })
  expect(convert('1.234,50', money({}), { format })).toEqual({ value: { value: '1234.50' } })
  expect(convert('1,234.50', money({}), { format })).toEqual({ value: { value: '1234.50' } })
  expect(convert('1234', money({}), { format })).toEqual({ value: { value: '1234' } })
})
