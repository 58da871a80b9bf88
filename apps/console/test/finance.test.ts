import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown): Promise<{ id: string }> =>
  ((await installation.call('POST', path, body)) as { data: { id: string } }).data
const read = async <Shown>(path: string): Promise<Shown> =>
  ((await installation.call('GET', path)) as { data: Shown }).data

const vat = await create('/api/tax-rates', { name: 'VAT 19', rate: '19' })
const reduced = await create('/api/tax-rates', { name: 'VAT 7', rate: '7' })
const company = await create('/api/companies', {
  name: 'Harbour Works',
  email: 'office@harbour.example',
  billingAddress: { line1: 'Quay 1', city: 'Hamburg', country: 'Germany' },
})
const lamp = await create('/api/products', { name: 'Signal lamp', sku: 'SL-1', basePrice: '33.33', taxRateId: vat.id })
const priceList = await create('/api/price-lists', { name: 'Harbour prices', companyIds: [company.id] })
await create('/api/price-list-entries', { priceListId: priceList.id, productId: lamp.id, price: '30.10' })

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()
const line = (page: Page, number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true })
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) as string
const opened = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
/** Waits until nothing moves, so that axe judges the final colours. */
const settled = (page: Page) =>
  page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null)))')
const act = async (page: Page, verb: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: verb, exact: true }).click()
}

/** Returns the sums that a page shows, by name. */
async function shownSums(page: Page): Promise<Record<string, string>> {
  const rows = await page.locator('dl[aria-label="Totals"] > div').all()
  return Object.fromEntries(
    await Promise.all(
      rows.map(async (row) => [await row.locator('dt').textContent(), await row.locator('dd').textContent()] as const),
    ),
  )
}

const euros = (amount: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount as `${number}`)

interface Sums {
  readonly subtotal: string
  readonly discountTotal: string
  readonly total: string
  readonly taxes: readonly { readonly name: string; readonly base: string; readonly amount: string }[]
}

describe('from a quote to money', () => {
  it('goes by lines that add up, sending, accepting, issuing and paying', { timeout: 90_000 }, async () => {
    const page = await signedIn('/quotes')
    await page.getByRole('link', { name: 'New quote' }).click()
    await opened(page, 'New quote')
    await page.getByRole('combobox', { name: 'Company' }).fill('Harb')
    await page.getByRole('option', { name: 'Harbour Works' }).click()
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).fill('SL-1')
    await page.getByRole('option', { name: 'Signal lamp (SL-1)' }).click()
    await expect.poll(() => line(page, 1).getByLabel('Unit price').inputValue()).toBe('30.10')
    await expect
      .poll(() => line(page, 1).getByRole('combobox', { name: 'Product or service' }).inputValue())
      .toBe('Signal lamp')
    await expect.poll(() => line(page, 1).getByLabel('Tax').inputValue()).toBe(vat.id)
    await line(page, 1).getByLabel('Quantity').fill('3')
    await line(page, 1).getByLabel('Discount', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Add line' }).click()
    await line(page, 2).getByRole('combobox', { name: 'Product or service' }).fill('Fitting')
    await line(page, 2).getByLabel('Unit price').fill('49.99')
    await line(page, 2).getByLabel('Quantity').fill('1.5')
    await line(page, 2).getByLabel('Tax').selectOption(reduced.id)
    await page.getByRole('button', { name: 'Add line' }).click()
    await line(page, 3).getByRole('combobox', { name: 'Product or service' }).fill('Journey')
    await line(page, 3).getByLabel('Unit price').fill('20')
    await line(page, 3).getByLabel('Discount in').selectOption('AMOUNT')
    await line(page, 3).getByLabel('Discount', { exact: true }).fill('2.5')
    await page.getByLabel('Discount on everything', { exact: true }).fill('10')
    await page.getByRole('button', { name: 'Move line 3 up' }).click()
    await expect
      .poll(() => line(page, 2).getByRole('combobox', { name: 'Product or service' }).inputValue())
      .toBe('Journey')
    const live = await shownSums(page)
    await page.getByRole('button', { name: 'Create quote' }).click()
    await opened(page, 'Draft of a quote')

    const quoteId = idOf(page)
    const quote = await read<Sums>(`/api/quotes/${quoteId}`)
    expect(live).toEqual({
      Subtotal: euros(quote.subtotal),
      Discount: `-${euros(quote.discountTotal)}`,
      Total: euros(quote.total),
      ...Object.fromEntries(quote.taxes.map(({ name, base, amount }) => [`${name} of ${euros(base)}`, euros(amount)])),
    })
    await expect.poll(() => shownSums(page)).toEqual(live)

    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const mail = page.getByRole('form', { name: 'Send the quote' })
    await expect.poll(() => mail.getByLabel('To', { exact: true }).inputValue()).toBe('office@harbour.example')
    await mail.getByLabel('To', { exact: true }).fill('not an address')
    await mail.getByRole('button', { name: 'Send' }).click()
    await mail.getByText('Email must look like name@example.com.').waitFor()
    await mail.getByLabel('To', { exact: true }).fill('')
    await mail.getByRole('button', { name: 'Send' }).click()
    await said(page, 'Quote sent')
    await opened(page, /^QUO-\d{4}-\d{5}$/)
    await page.getByRole('button', { name: 'Accept' }).click()
    await said(page, 'Quote accepted')
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await opened(page, 'Draft of an invoice')
    await page.getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('dialog', { name: 'Issue this invoice?' }).getByRole('button', { name: 'Issue' }).click()
    await opened(page, /^INV-\d{4}-\d{5}$/)

    const invoiceId = idOf(page)
    await page.getByRole('button', { name: 'Record payment' }).click()
    const payment = page.getByRole('form', { name: 'Record payment' })
    await expect.poll(() => payment.getByLabel('Amount in EUR').inputValue()).toBe(quote.total)
    await payment.getByLabel('Amount in EUR').fill('100000')
    await payment.getByRole('button', { name: 'Record' }).click()
    await payment.getByText(`Only ${euros(quote.total)} is due`).waitFor()
    await payment.getByLabel('Amount in EUR').fill('50')
    await payment.getByLabel('Reference').fill('Statement 7')
    await payment.getByRole('button', { name: 'Record' }).click()
    await said(page, 'Payment recorded')
    await page.getByText('Partially paid').first().waitFor()
    const { amountDue } = await read<{ amountDue: string }>(`/api/invoices/${invoiceId}`)
    await expect.poll(() => shownSums(page)).toMatchObject({ Paid: '€50.00', Due: euros(amountDue) })
    expect(await barriers(page)).toEqual([])

    await page.getByRole('button', { name: 'Reverse the payment of €50.00' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('It bounced')
    await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click()
    await page.getByText('It bounced').first().waitFor()
    await expect.poll(() => shownSums(page)).toMatchObject({ Paid: '€0.00', Due: euros(quote.total) })
  })

  it('shows the PDF inside the page, under its policy', async () => {
    const { id } = await create('/api/invoices', {
      companyId: company.id,
      items: [{ name: 'Lighthouse keeping', unitPrice: '120', description: 'for ᏣᎳᎩ' }],
    })
    const page = await signedIn(`/invoices/${id}`)
    await page.getByRole('button', { name: 'Issue' }).click()
    await page.getByText('The PDF has no letters for these signs and shows boxes: Ꮳ Ꮃ Ꭹ').waitFor()
    await page.getByRole('dialog', { name: 'Issue this invoice?' }).getByRole('button', { name: 'Issue' }).click()
    await opened(page, /^INV-/)
    await act(page, 'Preview the PDF')
    const sheet = page.getByRole('dialog').getByRole('region', { name: 'Page 1' })
    await sheet.getByText('Lighthouse keeping').waitFor({ state: 'attached' })
    expect(
      await sheet.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas as { width: number; height: number }
        return width > 300 && height > width
      }),
    ).toBe(true)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.pdf$/)
  })

  it('creates a payment link of an invoice, and turns it off', async () => {
    const { id } = await create('/api/invoices', { items: [{ name: 'Lamp', unitPrice: '10' }] })
    await installation.call('POST', `/api/invoices/${id}/issue`)
    const page = await signedIn(`/invoices/${id}`)
    await page.getByRole('button', { name: 'Create payment link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create payment link' }).click()
    const link = page.getByRole('region', { name: 'Payment link' }).getByRole('link')
    const { pathname } = new URL((await link.getAttribute('href')) ?? '')
    expect(pathname).toMatch(/^\/pay\/[\w-]{40,}$/)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await said(page, 'Payment link turned off')
    await page.getByRole('button', { name: 'Create payment link' }).waitFor()
    expect(await installation.call('GET', `/api/invoices/${id}`)).toMatchObject({ data: { paymentLinkUrl: null } })
  })
})

describe('the editor', () => {
  it('follows the digits of the currency and the kind of taxes, as the API does', async () => {
    const page = await signedIn('/invoices/new')
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).fill('Pump')
    await line(page, 1).getByLabel('Unit price').fill('1234.5678')
    await line(page, 1).getByLabel('Tax').selectOption(vat.id)
    await page.getByLabel('Currency').selectOption('KWD')
    await expect.poll(async () => (await shownSums(page))['Subtotal']).toMatch(/1,234\.568$/)
    await page.getByLabel('Currency').selectOption('JPY')
    await expect.poll(async () => (await shownSums(page))['Subtotal']).toBe('¥1,235')
    await page.getByLabel('Taxes').selectOption('INCLUSIVE')
    await expect.poll(() => shownSums(page)).toMatchObject({ Total: '¥1,235', Subtotal: '¥1,038' })
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await opened(page, 'Draft of an invoice')
    const { total, taxTotal, subtotal } = await read<{ total: string; taxTotal: string; subtotal: string }>(
      `/api/invoices/${idOf(page)}`,
    )
    expect({ total, taxTotal, subtotal }).toEqual({ total: '1235', taxTotal: '197', subtotal: '1038' })
  })

  it('takes and shows numbers as its reader writes them', async () => {
    const page = await signedIn('/quotes/new', { locale: 'de-DE' })
    const first = page.getByRole('group', { name: 'Zeile 1', exact: true })
    await first.getByRole('combobox', { name: 'Produkt oder Dienstleistung' }).fill('Pumpe')
    await first.getByLabel('Einzelpreis').fill('1.234,50 €')
    await first.getByLabel('Menge').fill('1,5')
    const sums = page.locator('dl[aria-label="Summen"]')
    await sums.getByText('1.851,75').first().waitFor()
    await page.getByRole('button', { name: 'Angebot anlegen' }).click()
    await page.getByRole('button', { name: 'Bearbeiten' }).click()
    await expect.poll(() => first.getByLabel('Einzelpreis').inputValue()).toBe('1234,50')
    await expect.poll(() => first.getByLabel('Menge').inputValue()).toBe('1,5')
    const { items } = await read<{ items: readonly object[] }>(`/api/quotes/${page.url().split('/').at(-2)}`)
    expect(items).toMatchObject([{ unitPrice: '1234.50', quantity: '1.5' }])
  })

  it('shows what the API refuses by the field, keeps what was typed, and saves the mended draft', async () => {
    const page = await signedIn('/orders/new')
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).fill('Rope')
    await page.getByRole('button', { name: 'Add line' }).click()
    await line(page, 2).getByRole('combobox', { name: 'Product or service' }).fill('Anchor')
    await line(page, 2).getByLabel('Quantity').fill('two')
    await page.getByRole('button', { name: 'Create order' }).click()
    await line(page, 2).getByText('“two” is not a number.').waitFor()
    await page.getByRole('alert').getByText('Fix the marked fields').waitFor()
    await line(page, 2).getByLabel('Quantity').fill('2')
    await line(page, 2).getByLabel('Discount in').selectOption('AMOUNT')
    await line(page, 2).getByLabel('Discount', { exact: true }).fill('1')
    await page.getByRole('button', { name: 'Create order' }).click()
    await line(page, 2).getByText('The discount is larger than the line').waitFor()
    await page.getByRole('button', { name: 'Remove line 1' }).click()
    await line(page, 1).getByLabel('Unit price').fill('10')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create order' }).click()
    await opened(page, 'Draft of an order')
    await page.getByRole('button', { name: 'Edit' }).click()
    await opened(page, 'Edit draft')
    await line(page, 1).getByLabel('Quantity').fill('4')
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')
    await expect.poll(() => shownSums(page)).toMatchObject({ Total: '€39.00' })
  })
})

describe('the price of a product', () => {
  it('follows the quantity through the tiers of its list, until somebody types another one', async () => {
    const sku = `MR-${unique()}`
    const rope = await create('/api/products', { name: 'Mooring rope', sku, basePrice: '12' })
    const { id: entryId } = await create('/api/price-list-entries', {
      priceListId: priceList.id,
      productId: rope.id,
      price: '10',
    })
    await create('/api/price-list-entry-tiers', { entryId, minQuantity: '10', maxQuantity: '99.5', price: '8' })
    await create('/api/price-list-entry-tiers', { entryId, minQuantity: '99.6', price: '6' })
    const page = await signedIn(`/quotes/new?companyId=${company.id}`)
    const [quantity, price] = [line(page, 1).getByLabel('Quantity'), line(page, 1).getByLabel('Unit price')]
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).fill(sku)
    await page.getByRole('option', { name: `Mooring rope (${sku})` }).click()
    await expect.poll(() => price.inputValue()).toBe('10.00')
    await quantity.fill('10')
    await expect.poll(() => price.inputValue()).toBe('8.00')
    await quantity.fill('99.6')
    await expect.poll(() => price.inputValue()).toBe('6.00')
    await quantity.fill('many')
    await quantity.fill('2')
    await expect.poll(() => price.inputValue()).toBe('10.00')
    await price.fill('9')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await quantity.fill('10')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await opened(page, 'Draft of a quote')
    expect(asked).not.toContain('/api/prices/resolve')
    await expect.poll(() => shownSums(page)).toMatchObject({ Total: '€90.00' })
  })
})

describe('the pages of a deal and a contact', () => {
  it('show their documents, and begin new ones for them', async () => {
    const deal = await create('/api/deals', { name: 'New lighthouse', companyId: company.id, amount: '700' })
    const contact = await create('/api/contacts', { firstName: 'Ida', lastName: 'Keeper' })
    await create('/api/quotes', { dealId: deal.id, items: [{ name: 'Tower', unitPrice: '900' }] })
    await create('/api/invoices', { contactId: contact.id, items: [{ name: 'Wick', unitPrice: '3' }] })
    const page = await signedIn(`/deals/${deal.id}`)
    const papers = page.getByRole('region', { name: 'Quotes and invoices' })
    await papers.getByRole('listitem').getByText('€900.00').waitFor()
    await papers.getByRole('link', { name: 'New invoice' }).click()
    await opened(page, 'New invoice')
    await expect.poll(() => page.getByRole('combobox', { name: 'Company' }).inputValue()).toBe('Harbour Works')
    await expect.poll(() => line(page, 1).getByLabel('Unit price').inputValue()).toBe('700.00')
    await page.goto(`/contacts/${contact.id}`)
    await page.getByRole('list', { name: 'Invoices' }).getByText('€3').waitFor()
    await page.getByRole('list', { name: 'Invoices' }).getByRole('link').click()
    await opened(page, 'Draft of an invoice')
  })
})

describe('a call that makes something', () => {
  it('carries a key of its own, and the same one again after a lost connection', async () => {
    const made = async (): Promise<number> =>
      ((await installation.call('GET', '/api/invoices?totalMin=77.77&totalMax=77.77')) as { total: number }).total
    const before = await made()
    const page = await signedIn('/invoices/new')
    const keys: (string | undefined)[] = []
    let isLost = true
    await page.route('**/api/invoices', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (!isLost) return route.continue()
      // The service did its work; only its answer is lost.
      await route.fetch()
      return route.abort()
    })
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).fill('Bell')
    await line(page, 1).getByRole('combobox', { name: 'Product or service' }).press('Enter')
    await line(page, 1).getByLabel('Unit price').fill('77.77')
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    isLost = false
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await opened(page, 'Draft of an invoice')
    expect(keys.length).toBeGreaterThan(2)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\w-]{36}$/)
    expect(await made()).toBe(before + 1)
  })
})

describe('in dark', () => {
  it('nothing keeps people out of the dialogs and menus', async () => {
    const { id } = await create('/api/invoices', { companyId: company.id, items: [{ name: 'Chart', unitPrice: '15' }] })
    await installation.call('POST', `/api/invoices/${id}/issue`)
    const page = await signedIn(`/invoices/${id}`, { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Void' }).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Send' }).click()
    await page.getByRole('form', { name: 'Send the invoice' }).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByRole('form', { name: 'Record payment' }).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
  })
})

describe('orders', () => {
  it('are confirmed, fulfilled, invoiced, and found by their state', async () => {
    const { id } = await create('/api/orders', { companyId: company.id, items: [{ name: 'Buoy', unitPrice: '80' }] })
    const page = await signedIn(`/orders/${id}`)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await opened(page, /^ORD-/)
    const number = await page.getByRole('heading', { level: 1 }).textContent()
    await page.getByRole('button', { name: 'Fulfill' }).click()
    await said(page, 'Order fulfilled')
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await opened(page, 'Draft of an invoice')
    await page.getByRole('link', { name: 'Orders' }).click()
    const row = page
      .getByRole('grid', { name: 'Orders' })
      .getByRole('row', { name: new RegExp(`${number}.*Fulfilled.*€80`) })
    await row.getByRole('gridcell', { name: 'Fulfilled' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await expect.poll(() => page.url()).toContain('FULFILLED')
    await row.waitFor()
  })
})

describe('the list of invoices', () => {
  it('finds by text, status and being overdue', async () => {
    const { id } = await create('/api/invoices', {
      issueDate: '2026-01-02',
      dueDate: '2026-01-16',
      notes: null,
      items: [{ name: 'Foghorn', unitPrice: '7' }],
      companyId: company.id,
    })
    const { data: issued } = (await installation.call('POST', `/api/invoices/${id}/issue`)) as {
      data: { number: string }
    }
    const page = await signedIn(`/invoices?isOverdue=true&search=${issued.number}`)
    await page.getByText('1 invoice found').waitFor()
    await page.getByRole('list', { name: 'Filters' }).getByText('Overdue').waitFor()
    await page.getByRole('row', { name: new RegExp(`${issued.number}.*Overdue.*€7`) }).waitFor()
    const grid = page.getByRole('grid', { name: 'Invoices' })
    await grid.getByRole('button', { name: 'Total of Amount due: Sum €7' }).waitFor()
    await page.goto('/invoices?status=VOID')
    await page.getByText('No invoices match').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await grid.getByRole('button', { name: 'Total', exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-total')
    await page.getByRole('button', { name: 'Save view' }).click()
    const view = `Large ${unique()}`
    await page.getByRole('dialog', { name: 'Save view' }).getByRole('textbox', { name: 'View name' }).fill(view)
    await page.getByRole('dialog', { name: 'Save view' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('tab', { name: view }).and(page.locator('[aria-selected=true]')).waitFor()
  })
})

describe('a person who only reads', () => {
  it('sees documents without a way to change them', async () => {
    const reader = await installation.workspace.employee({ roles: ['Read only'] })
    const { id } = await create('/api/invoices', { items: [{ name: 'Lamp', unitPrice: '10' }] })
    await installation.call('POST', `/api/invoices/${id}/issue`)
    const page = await signedIn('/quotes', { as: reader })
    await page.getByRole('grid', { name: 'Quotes' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'New quote' }).count()).toBe(0)
    await page.goto(`/invoices/${id}`)
    await opened(page, /^INV-/)
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Preview the PDF'])
    await expect
      .poll(() =>
        page
          .getByRole('main')
          .getByRole('button', { name: /Edit|Record|Issue|Create payment link|Reverse/ })
          .count(),
      )
      .toBe(0)
    await page.goto('/invoices/new')
    await page.getByText('You cannot edit invoices').waitFor()
    await expect.poll(() => page.getByRole('form').count()).toBe(0)
  })
})

it('a draft and a call are deleted at once, and come back by “Undo”', async () => {
  const { id } = await create('/api/quotes', { companyId: company.id, items: [{ name: 'Rope', unitPrice: '3' }] })
  const { id: call } = await create('/api/activities', { type: 'CALL', subject: 'About the rope' })
  const page = await signedIn(`/quotes/${id}`)
  await act(page, 'Delete')
  await said(page, 'Quote deleted')
  await opened(page, 'Quotes')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('region', { name: 'Lines' }).getByText('Rope').waitFor()
  expect(idOf(page)).toBe(id)
  await page.goto(`/activities/${call}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await said(page, 'Activity deleted')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await opened(page, 'About the rope')
})
