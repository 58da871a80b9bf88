import { expect, it } from 'vitest'
import { looksLikePhone, phoneFormOf, phonesIn, readPhone, type PhoneForm } from './phones.ts'

it.each<[string, string | undefined, PhoneForm, string, string | undefined]>([
  ['030 / 1234567', 'DE', 'national', '+49301234567', undefined],
  ['0049 30 1234567', 'DE', 'national', '+49301234567', undefined],
  ['0049 30 1234567', 'US', 'national', '+49301234567', undefined],
  ['+49 (0)30 1234567', undefined, 'national', '+49301234567', undefined],
  ['(+49) 30 1234567', undefined, 'national', '+49301234567', undefined],
  ['(555) 010-9999 ext. 5', 'US', 'national', '+15550109999', '5'],
  ['(415) 555-2671 x12', 'US', 'national', '+14155552671', '12'],
  ['030 1234567 Durchwahl 12', 'DE', 'national', '+49301234567', '12'],
  ['01 42 68 53 00 poste 12', 'FR', 'national', '+33142685300', '12'],
  ['020 624 1111 toestel 12', 'NL', 'national', '+31206241111', '12'],
  ['8 495 123-45-67 доб. 12', 'RU', 'national', '+74951234567', '12'],
  ['Tel: 030 1234567', 'DE', 'national', '+49301234567', undefined],
  ['+52 1 55 1234 5678', undefined, 'national', '+525512345678', undefined],
  ['4930123456.0', 'DE', 'international', '+4930123456', undefined],
  ['4915112345678', 'DE', 'international', '+4915112345678', undefined],
  ['４９３０１２３４５６', 'DE', 'international', '+4930123456', undefined],
  ['\u202a+49 30 1234567\u202c', undefined, 'national', '+49301234567', undefined],
  ['+९१ ९८७६५ ४३२१०', undefined, 'national', '+919876543210', undefined],
  ['০১৭১১-১২৩৪৫৬', 'BD', 'national', '+8801711123456', undefined],
  ['٠٥٠ ١٢٣ ٤٥٦٧', 'SA', 'national', '+966501234567', undefined],
])('%s in %s is a number', (text, country, form, number, extension) => {
  expect(readPhone(text, { country, form })).toEqual({ value: { number, ...(extension && { extension }) } })
})

it.each<[string, string | undefined, string]>([
  ['1-800-FLOWERS', 'US', '“1-800-FLOWERS” has letters, and a phone number has digits only'],
  ['12', 'DE', '“12” is no phone number'],
  ['030 1234567', undefined, '“030 1234567” has no country code; choose the country of the numbers'],
  ['+999 1234567', 'DE', '“+999 1234567” is no phone number'],
])('%s in %s is refused', (text, country, problem) => {
  expect(readPhone(text, { country, form: 'national' })).toMatchObject({ problem })
})

it('a cell of several numbers is split', () => {
  expect(phonesIn('030 123456; 030 123457 ::: 030 123458\n030 123459 | 030 1 oder 030 2')).toEqual([
    '030 123456',
    '030 123457',
    '030 123458',
    '030 123459',
    '030 1',
    '030 2',
  ])
})

const numbered = (count: number, text: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => text(at))

it('a column of German numbers whose plus was lost is international', () => {
  const column = numbered(500, (at) => `4915${112_345_000 + at * 7}`)
  expect(phoneFormOf(column)).toEqual({ form: 'international', validWithPlus: 1 })
})

it.each([
  ['DE', numbered(500, (at) => `030${1_234_000 + at * 7}`)],
  ['US', numbered(500, (at) => `415555${2_000 + at * 7}`)],
  ['FR', numbered(500, (at) => `01426853${String(at % 100).padStart(2, '0')}`)],
])('a column of national numbers of %s is national', (_, column) => {
  expect(phoneFormOf(column).form).toBe('national')
})

it('numbers with a country code decide nothing', () => {
  expect(phoneFormOf(['+49301234567', '0049 30 1234567'])).toEqual({
    form: 'national',
    validWithPlus: 0,
  })
})

it.each([
  ['030 / 1234567', true],
  ['(555) 010-9999 ext. 5', true],
  ['4930123456.0', true],
  ['2024', false],
  ['Ada', false],
  ['1234567890123456', false],
])('%s looks like a phone number: %s', (text, is) => {
  expect(looksLikePhone(text)).toBe(is)
})
