import { describe, expect, it } from 'vitest'
import { withPlainNames } from './custom-field-names.ts'

describe('withPlainNames', () => {
  it.each([
    [
      { cf_region: 'north', page: '2' },
      { cf_region: 'north', page: '2' },
    ],
    [{ 'cf[cf_region]': 'north' }, { cf_region: 'north' }],
    [
      { 'cf[cf_scoreMin]': '1', 'cf[cf_scoreMax]': '5' },
      { cf_scoreMin: '1', cf_scoreMax: '5' },
    ],
    [{ 'cf[cf_region]': ['a', 'b'] }, { cf_region: ['a', 'b'] }],
    [{ cf_region: 'a', 'cf[cf_region]': 'b' }, { cf_region: ['a', 'b'] }],
    [{ 'cf[cf___proto__]': 'x' }, { cf___proto__: 'x' }],
    [
      { cfo: 'x', 'fields[cf]': 'y', filter: 'cf' },
      { cfo: 'x', 'fields[cf]': 'y', filter: 'cf' },
    ],
  ])('reads %j', (sent, plain) => expect(withPlainNames(sent)).toEqual(plain))

  it.each([
    'cf',
    'cf[region]',
    'cf[]',
    'cf[cf_region',
    'cf[cf_region][]',
    'cf[cf_region][eq]',
    'cf[[cf_region]]',
    'cf.cf_region',
    'cf[cf_]',
  ])('refuses %s', (name) =>
    expect(() => withPlainNames({ [name]: 'north' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY_PARAM',
        extras: expect.objectContaining({ details: expect.objectContaining({ param: name }) }) as unknown,
      }),
    ),
  )
})
