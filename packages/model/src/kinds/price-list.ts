import { currency, flag, instant, integer, references, text } from '../field.ts'
import { defineKind } from '../kind.ts'

/** Prices for everybody or for some companies (docs/guide/finance.md). */
export const priceList = defineKind({
  entity: 'PRICE_LIST',
  noun: 'price list',
  plural: 'price lists',
  stem: 'price-lists',
  module: 'CATALOG',
  icon: 'prices',
  title: ['name'],
  list: { columns: ['name', 'currency', 'priority', 'isActive', 'isDefault', 'companyIds', 'createdAt'] },
  main: ['name', 'currency', 'priority', 'startsAt', 'endsAt', 'companyIds', 'isDefault', 'isActive'],
  defaults: { isActive: 'true' },
  fields: {
    name: text({ max: 200, presence: 'required', holds: 'name', sort: true }),
    currency: currency({ presence: 'always', filter: true }),
    isDefault: flag({ presence: 'always', filter: true, description: 'One list of each currency' }),
    isActive: flag({ presence: 'always', filter: true }),
    priority: integer({
      min: -1_000_000,
      max: 1_000_000,
      presence: 'always',
      sort: true,
      description: 'Of several lists the one with the largest number wins',
    }),
    startsAt: instant({ sort: true }),
    endsAt: instant({ sort: true, description: 'Not included' }),
    companyIds: references({
      to: 'COMPANY',
      max: 1_000,
      presence: 'always',
      description: 'The companies that it is made for; without any it is for everybody',
    }),
  },
})
