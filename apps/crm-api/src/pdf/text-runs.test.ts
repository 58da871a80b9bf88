import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canPlace, canWrite } from './fonts.ts'
import { drawingOrder } from './line-order.ts'
import { writeText } from './text-runs.ts'

const fontsOf = (text: string) => writeText([{ text }]).runs.map(({ text: run, font = 'Roboto' }) => `${font}:${run}`)
const drawn = (text: string) =>
  drawingOrder(writeText([{ text }]).runs)
    .map(
      ({ text: run, mirror, level = 0 }) => mirror ?? (level % 2 === 1 ? Array.from(run).toReversed().join('') : run),
    )
    .join('')

describe('fonts', () => {
  it.each([
    ['Größe, 1 000 €', ['Roboto:Größe, 1 000 €']],
    ['Консультация', ['Roboto:Консультация']],
    ['100 ₴, ₸', ['Roboto:100 ', 'Latin:₴', 'Roboto:, ', 'Latin:₸']],
    ['ɓoɗi', ['Latin:ɓ', 'Roboto:o', 'Latin:ɗ', 'Roboto:i']],
    ['技术，第2阶段', ['Chinese:技术，第', 'Roboto:2', 'Chinese:阶段']],
    ['臺灣', ['Chinese:臺灣']],
    ['サーバー保守', ['Japanese:サーバー保守']],
    ['髙橋さん', ['Chinese:髙', 'Japanese:橋さん']],
    ['한국 서비스', ['Korean:한국', 'Roboto: ', 'Korean:서비스']],
    ['हिन्दी', ['Devanagari:हिन्दी']],
    ['বাংলা ভাষা', ['Bengali:বাংলা', 'Roboto: ', 'Bengali:ভাষা']],
    ['ગુજરાતી', ['Gujarati:ગુજરાતી']],
    ['ਪੰਜਾਬੀ', ['Gurmukhi:ਪੰਜਾਬੀ']],
    ['ಕನ್ನಡ', ['Kannada:ಕನ್ನಡ']],
    ['മലയാളം', ['Malayalam:മലയാളം']],
    ['ଓଡ଼ିଆ', ['Oriya:ଓଡ଼ିଆ']],
    ['සිංහල', ['Sinhala:සිංහල']],
    ['தமிழ்', ['Tamil:தமிழ்']],
    ['తెలుగు', ['Telugu:తెలుగు']],
    ['ქართული', ['Georgian:ქართული']],
    ['Հայերեն', ['Armenian:Հայերեն']],
    ['አማርኛ', ['Ethiopic:አማርኛ']],
    ['ខ្មែរ', ['Khmer:ខ្មែរ']],
    ['ລາວ', ['Lao:ລາວ']],
    ['မြန်မာ', ['Myanmar:မြန်မာ']],
    ['ไทย ฿', ['Thai:ไทย', 'Roboto: ', 'Thai:฿']],
    ['قهوة ABC', ['Arabic:قهوة', 'Roboto: ', 'Roboto:ABC']],
    ['قهوة ࢡ', ['RareArabic:قهوة', 'Roboto: ', 'RareArabic:ࢡ']],
    ['→ ✓ ok', ['Chinese:→', 'Roboto: ', 'Chinese:✓', 'Roboto: ok']],
  ])('writes %s with fonts that have its letters', (text, runs) => {
    expect(fontsOf(text)).toEqual(runs)
  })

  it('leaves out pictures that no font has, and what is not drawn at all', () => {
    expect(fontsOf('a😀b\u200f\u0007\u00adc')).toEqual(['Roboto:abc'])
  })

  it('writes the narrow space of French numbers as a space that every font has', () => {
    expect(fontsOf('1\u202f234,50\u00a0€')).toEqual(['Roboto:1\u00a0234,50\u00a0€'])
  })

  it('has a letter for everything that it takes for plain', () => {
    const usual = [
      [0x20, 0x7e],
      [0xa0, 0xac],
      [0xae, 0x17f],
      [0x391, 0x3a1],
      [0x3a3, 0x3ce],
      [0x400, 0x45f],
    ].flatMap(([first = 0, last = 0]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    )
    const lacking = [...usual, ...Array.from('–—‘’“”„•…€')].filter(
      (letter) => !canWrite('Roboto', letter.normalize('NFC')),
    )
    expect(lacking).toEqual([])
  })

  it('puts letters together only where their font knows their places', () => {
    const scripts = [
      'Arabic',
      'Bengali',
      'Devanagari',
      'Gujarati',
      'Gurmukhi',
      'Kannada',
      'Khmer',
      'Lao',
      'Malayalam',
      'Myanmar',
      'Oriya',
      'Sinhala',
      'Tamil',
      'Telugu',
      'Thai',
    ]
    const lettersOf = (script: string) => {
      const isOf = new RegExp(`[\\p{Script=${script}}&&[\\p{L}\\p{M}]]`, 'v')
      return Array.from({ length: 0x1200 }, (_, at) => String.fromCodePoint(0x600 + at)).filter((letter) =>
        isOf.test(letter),
      )
    }
    const text = fc
      .constantFrom(...scripts.map(lettersOf))
      .chain((letters) => fc.array(fc.constantFrom(...letters), { maxLength: 8 }))
    fc.assert(
      fc.property(text, (letters) => {
        for (const { font, text: run } of writeText([{ text: letters.join('') }]).runs)
          if (font) expect(canPlace(font, run), `${font}: ${run}`).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('loses no letter of any text of these scripts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Array.from('abç д א ב ع ر क ท 한 か 中 12 (3) , . -')), { maxLength: 40 }),
        (letters) => {
          expect(
            writeText([{ text: letters.join('') }])
              .runs.map(({ text }) => text)
              .join(''),
          ).toBe(letters.join(''))
        },
      ),
    )
  })
})

describe('directions', () => {
  it.each([
    ['שלום עולם', 'םלוע םולש'],
    ['שלב (2) עבור', 'רובע (2) בלש'],
    ['מחיר 1,500 ש״ח', 'ח״ש 1,500 ריחמ'],
    ['חשבון INV-2026 לתשלום', 'םולשתל INV-2026 ןובשח'],
    ['Acme (שלום) Ltd', 'Acme (םולש) Ltd'],
    ['المادة ٥٢', '٥٢ ةداملا'],
  ])('draws %s in the order in which it is read', (text, expected) => {
    expect(drawn(text)).toBe(expected)
  })

  it.each([
    ['שלום Acme', true],
    ['Acme שלום', false],
    ['12 (3)', false],
  ])('says on which side %s begins', (text, isRightToLeft) => {
    expect(writeText([{ text }]).isRightToLeft).toBe(isRightToLeft)
  })

  it('keeps bold letters bold across directions', () => {
    expect(
      writeText([{ text: 'בין ' }, { text: 'Acme', bold: true }])
        .runs.filter(({ bold }) => bold)
        .map(({ text }) => text),
    ).toEqual(['Acme'])
  })
})
