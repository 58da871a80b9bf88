import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe('the catalogue', () => {
  it('takes a product with an image and a variant, and a list with tiers that prices it', async () => {
    const page = await signedIn('/products')
    await page.getByRole('button', { name: 'New product' }).click()
    const form = page.getByRole('form', { name: 'New product' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Rain jacket')
    await form.getByLabel('SKU').fill('RJ-1')
    await form.getByRole('textbox', { name: 'Price' }).fill('120')
    await form.getByRole('button', { name: 'Create product', exact: true }).click()
    await page.getByRole('heading', { name: 'Rain jacket', level: 1 }).waitFor()
    await page.getByText('€120').first().waitFor()
    const productId = new URL(page.url()).pathname.split('/').at(-1)

    await page
      .locator('input[type=file][accept="image/*"]')
      .setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: png })
    await said(page, 'Image added')
    const image = page.getByRole('list', { name: 'Images' }).getByRole('img', { name: 'front.png' })
    await image.waitFor()
    await expect.poll(() => image.getAttribute('src')).toMatch(/^\/api\/files\/.+\/content$/)
    await page
      .locator('input[type=file][accept="image/*"]')
      .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('not an image') })
    await page.getByRole('alert').waitFor()

    await page.getByRole('button', { name: 'Add variant' }).click()
    const variant = page.getByRole('form', { name: 'New variant' })
    await variant.getByRole('textbox', { name: 'Name' }).fill('Rain jacket, red')
    await variant.getByRole('button', { name: 'Create product', exact: true }).click()
    await page.getByRole('heading', { name: 'Rain jacket, red', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Rain jacket', exact: true }).click()
    await page.getByRole('list', { name: 'Variants' }).getByRole('link', { name: 'Rain jacket, red' }).waitFor()

    await page.getByRole('link', { name: 'Price lists' }).click()
    await page.getByRole('button', { name: 'New price list' }).click()
    const list = page.getByRole('form', { name: 'New price list' })
    await list.getByRole('textbox', { name: 'Name' }).fill('Wholesale')
    await list.getByRole('button', { name: 'Create price list', exact: true }).click()
    await page.getByRole('heading', { name: 'Wholesale', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add product' }).click()
    const entry = page.getByRole('form', { name: 'Add product' })
    await entry.getByRole('combobox', { name: 'Product' }).fill('RJ-1')
    await page.getByRole('option', { name: 'Rain jacket (RJ-1)' }).click()
    await entry.getByLabel('Price').fill('100')
    await entry.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /Rain jacket.*€100/ }).waitFor()
    await page.getByRole('button', { name: 'Add tier: Rain jacket' }).click()
    const tier = page.getByRole('form', { name: 'Add tier' })
    await tier.getByLabel('From quantity').fill('10')
    await tier.getByLabel('Price').fill('90.5')
    await tier.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('10–∞: €90.50').waitFor()
    const { data } = (await installation.call('GET', `/api/prices/resolve?productId=${productId}&quantity=10`)) as {
      data: { total: string }
    }
    expect(data.total).toBe('905.00')
  })
})
