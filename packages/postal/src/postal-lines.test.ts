import { expect, it } from 'vitest'
import { postalLines } from './postal-lines.ts'

const street = { line1: '1 Main St', line2: 'Suite 5' }

it.each([
  ['US', { city: 'Springfield', region: 'IL', postalCode: '62704' }, ['Springfield, IL 62704', 'United States']],
  ['CA', { city: 'Toronto', region: 'ON', postalCode: 'M5V 2T6' }, ['Toronto ON M5V 2T6', 'Canada']],
  ['GB', { city: 'Dover', postalCode: 'CT16 1AB' }, ['Dover', 'CT16 1AB', 'United Kingdom']],
  ['GB', { city: 'Dover', region: 'Kent', postalCode: 'CT16 1AB' }, ['Dover', 'CT16 1AB', 'Kent', 'United Kingdom']],
  ['AU', { city: 'Sydney', region: 'NSW', postalCode: '2000' }, ['Sydney NSW 2000', 'Australia']],
  ['IN', { city: 'Pune', region: 'Maharashtra', postalCode: '411001' }, ['Pune 411001', 'Maharashtra', 'India']],
  ['DE', { city: 'Berlin', region: 'Berlin', postalCode: '10115' }, ['10115 Berlin', 'Germany']],
  ['DE', { city: 'Kempten', region: 'Bayern', postalCode: '87435' }, ['87435 Kempten', 'Bayern', 'Germany']],
  ['FR', { city: 'Paris', postalCode: '75001' }, ['75001 Paris', 'France']],
  ['US', { city: 'Springfield' }, ['Springfield', 'United States']],
  ['us', { city: 'Springfield' }, ['Springfield', 'United States']],
  ['USA', { city: 'Springfield', region: 'IL' }, ['Springfield, IL', 'United States']],
  ['Vereinigtes Königreich', { city: 'Dover', postalCode: 'CT16 1AB' }, ['Dover', 'CT16 1AB', 'United Kingdom']],
  ['Narnia', { city: 'Cair Paravel', postalCode: '1' }, ['1 Cair Paravel', 'Narnia']],
  [null, { city: 'Somewhere', postalCode: '1' }, ['1 Somewhere']],
] as const)('an address in %s with %o ends as its country writes it', (country, place, lines) => {
  expect(postalLines({ ...street, ...place, country }, 'en')).toEqual(['1 Main St', 'Suite 5', ...lines])
})

it('an address in Chinese begins with what is largest', () => {
  const address = { line1: '中关村大街1号', city: '海淀区', region: '北京市', postalCode: '100080', country: 'CN' }
  expect(postalLines(address, 'en')).toEqual(['100080', '北京市海淀区', '中关村大街1号', 'China'])
})

it('no part is lost where the form of a country has no place for it', () => {
  const address = { line1: '千代田1-1', city: '千代田区', region: '東京都', postalCode: '100-0001', country: 'JP' }
  expect(postalLines(address, 'en').join(' ')).toBe('千代田1-1 100-0001 千代田区 東京都 Japan')
})

it('every country keeps every part', () => {
  const place = { ...street, city: 'Town', region: 'Shire', postalCode: '12345' }
  const codes = Array.from({ length: 26 * 26 }, (_, at) => String.fromCharCode(65 + at / 26, 65 + (at % 26)))
  const lost = codes.filter((country) => {
    const text = postalLines({ ...place, country }, 'en').join(' ')
    return Object.values(place).some((part) => text.split(part).length !== 2)
  })
  expect(lost).toEqual([])
})

it('nothing is nothing', () => {
  expect([postalLines(null, 'en'), postalLines({}, 'en')]).toEqual([[], []])
})
