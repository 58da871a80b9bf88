import { describe, expect, it } from 'vitest'
import { addressDraft, bodyOf, draftOfDeal, newDraft, newLine, totalsOf, type LineDraft } from './document-draft.ts'

const line = (fields: Partial<LineDraft>): LineDraft => ({ ...newLine(), name: 'Lamp', ...fields })
const draftWith = (...lines: LineDraft[]) => newDraft({ currency: 'EUR', lines })

describe('the body of a draft', () => {
  it('leaves out lines that nobody touched, and empty discounts', () => {
    const { items, discount } = bodyOf(
      draftWith(
        newLine(),
        line({ unitPrice: ' 10 ', discount: { type: 'PERCENT', value: ' 5' } }),
        line({ name: 'Journey' }),
      ),
      { isNew: true },
    )
    expect(items).toMatchObject([
      { name: 'Lamp', unitPrice: '10', discount: { type: 'PERCENT', value: '5' } },
      { name: 'Journey', unitPrice: '0', discount: null },
    ])
    expect(discount).toBeNull()
  })

  it('takes the address of the company for a new document without its own, and clears one that was emptied', () => {
    const empty = { ...draftWith(), billingAddress: addressDraft() }
    expect(bodyOf(empty, { isNew: true })).not.toHaveProperty('billingAddress')
    expect(bodyOf(empty, { isNew: false }).billingAddress).toBeNull()
    expect(
      bodyOf({ ...empty, billingAddress: addressDraft({ city: 'Kiel' }) }, { isNew: true }).billingAddress,
    ).toMatchObject({ city: 'Kiel' })
  })

  it('leaves a day of issue open that nobody chose', () => {
    expect(bodyOf(draftWith(), { isNew: true }).issueDate).toBeNull()
  })
})

describe('the totals of a draft', () => {
  const rates = new Map([['vat', { name: 'VAT', rate: '19' }]])

  it('count what is no number yet as nothing', () => {
    const totals = totalsOf(
      draftWith(
        line({ quantity: '2', unitPrice: '10', taxRateId: 'vat' }),
        line({ quantity: 'two', unitPrice: '10' }),
        line({ unitPrice: '' }),
        line({ unitPrice: '5', discount: { type: 'PERCENT', value: '101' } }),
      ),
      rates,
    )
    expect(totals).toMatchObject({ subtotal: '25.00', taxTotal: '3.80', total: '28.80' })
    expect(totals.lines.map(({ net }) => net)).toEqual(['20.00', '0.00', '0.00', '5.00'])
  })
})

describe('a document of a deal', () => {
  const deal = { companyId: 'c', contactId: 'p', currency: 'USD', name: 'Renewal', amount: '900.00' }
  const item = { productId: 'x', name: 'Seat', quantity: '3', unitPrice: '100', discount: '0' }

  it('begins with the parties, the currency and the items of the deal', () => {
    const { lines, ...rest } = draftOfDeal({ ...deal, items: [item, { ...item, productId: null, discount: '20' }] })
    expect(rest).toEqual({ companyId: 'c', contactId: 'p', currency: 'USD' })
    expect(lines).toMatchObject([
      { productId: 'x', name: 'Seat', quantity: '3', unitPrice: '100', discount: { value: '' } },
      { productId: null, discount: { type: 'AMOUNT', value: '20' } },
    ])
  })

  it('has one line where the deal has an amount alone', () => {
    expect(draftOfDeal({ ...deal, items: [] }).lines).toMatchObject([{ name: 'Renewal', unitPrice: '900.00' }])
    expect(draftOfDeal({ ...deal, amount: null, items: [] }).lines).toMatchObject([{ name: '', unitPrice: '' }])
  })
})
