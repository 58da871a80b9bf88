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
  percent,
  phone,
  phones,
  references,
  tags,
  text,
} from '@crm/model'
import { expect, it } from 'vitest'
import { guessColumn } from './columns.ts'
import { valueOfCell } from './convert.ts'
import { guessEncoding } from './encodings.ts'
import { titleKey } from './field-titles.ts'
import { headerOf, rowJudge } from './header.ts'
import { usualLimits } from './table.ts'
import { meaningsIn } from './titles.ts'

/** Signs on which a reader could try again and again. */
const signs = [
  ' ',
  '.',
  ',',
  ';',
  ':',
  '"',
  "'",
  '(',
  '<',
  '[',
  '-',
  '1',
  '1 ',
  '1,',
  'x ',
  'a',
  'ä',
  '@',
  '\n',
  '" ',
  '"" ;',
]
/** The longest cells that a file may have. A reader that tries again from each sign needs minutes for some of them. */
const longest = signs.flatMap((sign) => {
  const many = sign.repeat(Math.floor(usualLimits.cellCharactersMax / sign.length) - 2)
  return ['a', '1', '+'].map((first) => `${first}${many}b`)
})

const holds = 'person'
const fields = [
  text({ holds }),
  domain({ holds }),
  email({ holds }),
  phone({ holds }),
  phones({ holds }),
  tags({}),
  currency({}),
  integer({}),
  money({}),
  percent({}),
  flag({}),
  day({}),
  instant({}),
  choice({ values: ['HOT', 'COLD'] }),
  references({ to: 'COMPANY', max: 10 }),
]
const currencies = ['EUR']

it.each(fields.map((field) => [field.type, field] as const))(
  'the longest cells are read as %s in time',
  (_type, field) => {
    const conversion = { format: {}, country: 'DE', zone: 'Europe/Berlin', currencies, find: () => [] } as const
    for (const cell of longest) expect(valueOfCell(cell, field, conversion)).toBeTypeOf('object')
  },
  20_000,
)

it('columns of the longest cells are judged in time, and their titles are read', () => {
  for (const cell of longest) {
    expect(guessColumn(cell, [{ line: 2, cell }], { country: 'DE', currencies }).meaning).toBeTypeOf('string')
    expect([titleKey(cell).length, meaningsIn(cell).size]).toEqual([expect.any(Number), expect.any(Number)])
  }
}, 20_000)

it('rows of the longest cells are judged in time', () => {
  for (const cell of longest) {
    const header = headerOf([{ line: 1, cells: [cell, cell] }])
    expect(header && rowJudge(header)({ line: 2, cells: [cell, cell] })).not.toBeNull()
  }
}, 20_000)

it('the encoding of the longest words is found in time', () => {
  for (const cell of longest.filter((one) => one.startsWith('a'))) {
    expect(guessEncoding(Buffer.from(`${cell}ä`, 'latin1'))).toBeTypeOf('object')
  }
}, 20_000)
