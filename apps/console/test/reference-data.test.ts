import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const opened = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Fills a form in a dialog and saves it. */
async function save(
  page: Page,
  title: string,
  fill: (form: ReturnType<Page['getByRole']>) => Promise<unknown>,
): Promise<void> {
  const form = page.getByRole('form', { name: title })
  await fill(form)
  await form.getByRole('button', { name: 'Save' }).click()
}

describe('categories', () => {
  it('make a tree, move within it without circles, and stay while products are in them', async () => {
    const page = await signedIn('/product-categories', { at: await startInstallation() })
    await opened(page, 'Categories')
    const tree = page.getByRole('table', { name: 'Categories' })
    const add = async (name: string, below?: string) => {
      await page.getByRole('button', { name: 'New category' }).click()
      await save(page, 'New category', async (form) => {
        await form.getByLabel('Name').fill(name)
        if (below !== undefined) await form.getByLabel('Below').selectOption({ label: below })
      })
      await tree.getByRole('row', { name: new RegExp(name) }).waitFor()
    }
    await add('Clothes')
    await add('Jackets', 'Clothes')
    await add('Rain jackets', '\u2003Jackets')
    await add('Tools')
    await expect
      .poll(() => tree.locator('tbody tr td:first-child').allTextContents())
      .toEqual(['Clothes ', 'Jackets ', 'Rain jackets ', 'Tools '])
    await page.getByRole('button', { name: 'New category' }).click()
    await save(page, 'New category', (form) => form.getByLabel('Name').fill('tools'))
    await page.getByRole('form').getByText('This name is taken').waitFor()
    // What was refused is not lost without a question.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()

    await page.getByRole('button', { name: 'Edit Clothes' }).click()
    await expect
      .poll(() => page.getByRole('form').getByLabel('Below').locator('option').allTextContents())
      .toEqual(['None (top level)', 'Tools'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Jackets' }).click()
    await save(page, 'Edit the category', (form) => form.getByLabel('Below').selectOption({ label: 'Tools' }))
    await expect
      .poll(() => tree.locator('tbody tr td:first-child').allTextContents())
      .toEqual(['Clothes ', 'Tools ', 'Jackets ', 'Rain jackets '])
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete Tools' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  })
})

describe('tags and attributes', () => {
  it('are made, and said of a product', async () => {
    const { data: product } = (await installation.call('POST', '/api/products', {
      name: 'Oilskin',
      tags: ['wet'],
    })) as { data: { id: string } }
    const page = await signedIn('/product-attributes')
    await opened(page, 'Product attributes')
    await page.getByRole('button', { name: 'New group' }).click()
    await save(page, 'New group', (form) => form.getByLabel('Name').fill('Looks'))
    await page.getByRole('table', { name: 'Groups' }).getByText('Looks').waitFor()
    await page.getByRole('button', { name: 'New attribute' }).click()
    await save(page, 'New attribute', async (form) => {
      await form.getByLabel('Name', { exact: true }).fill('Colour')
      await form.getByLabel('API name').fill('9')
      await form.getByLabel('Type').selectOption({ label: 'Single choice' })
      await form.getByLabel('Group').selectOption({ label: 'Looks' })
    })
    await page.getByRole('form').getByText('Start with a letter, and use letters, digits, _ and - after it.').waitFor()
    await save(page, 'New attribute', (form) => form.getByLabel('API name').fill('color'))
    await page.getByRole('button', { name: 'Show the choices of Colour' }).click()
    for (const name of ['Yellow', 'Navy']) {
      await page.getByRole('button', { name: 'New choice' }).click()
      await save(page, 'New choice', (form) => form.getByLabel('Name').fill(name))
      await page.getByRole('table', { name: 'Choices of Colour' }).getByText(name).waitFor()
    }
    expect(await barriers(page)).toEqual([])

    await page.goto(`/products/${product.id}`)
    await opened(page, 'Oilskin')
    await page.getByRole('button', { name: 'Add attribute' }).click()
    await save(page, 'Add attribute', (form) => form.getByLabel('Value').selectOption({ label: 'Navy' }))
    await page.getByRole('row', { name: /Colour.*Navy/ }).waitFor()
    await page.getByRole('button', { name: 'Edit Colour' }).click()
    await save(page, 'Edit Colour', (form) => form.getByLabel('Value').selectOption({ label: 'Yellow' }))
    await page.getByRole('row', { name: /Colour.*Yellow/ }).waitFor()
    await page.getByRole('button', { name: 'Remove Colour' }).click()
    await page.getByRole('row', { name: /Colour/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Tags' }).click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('autumn')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('definition').getByText('autumn').waitFor()

    await page.goto('/product-categories')
    await page.getByRole('button', { name: 'Edit autumn' }).click()
    await save(page, 'Edit the tag', async (dialog) => {
      await dialog.getByLabel('Name').fill('fall')
      await dialog.getByLabel('Color').fill('#aa5500')
    })
    await page.getByRole('table', { name: 'Tags' }).getByText('fall').waitFor()
    expect(await installation.call('GET', `/api/products/${product.id}`)).toMatchObject({
      data: { tags: ['wet', 'fall'] },
    })
  })
})

describe('taxes, units, currencies and numbers', () => {
  it('are added, changed and refused by the field', async () => {
    const page = await signedIn('/settings/taxes')
    await opened(page, 'Taxes')
    await page.getByRole('button', { name: 'New tax rate' }).click()
    await save(page, 'New tax rate', async (form) => {
      await form.getByLabel('Name').fill('Luxury')
      await form.getByLabel('Percent').fill('120')
    })
    await page.getByRole('form').getByText('Enter a percentage from 0 to 100.').waitFor()
    await save(page, 'New tax rate', (form) => form.getByLabel('Percent').fill('33.5'))
    await page.getByRole('row', { name: /Luxury.*33\.5 %.*Active/ }).waitFor()
    await page.getByRole('button', { name: 'New currency' }).click()
    await save(page, 'New currency', (form) => form.getByLabel('Code').fill('XQX'))
    await page.getByRole('form').getByText('There is no currency XQX').waitFor()
    await save(page, 'New currency', async (form) => {
      await form.getByLabel('Code').fill('xof')
      await form.getByLabel('Value in workspace currency').fill('0.0015')
    })
    await page.getByRole('row', { name: /XOF.*0\.0015/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete EUR' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Numbering' }).click()
    await opened(page, 'Numbering')
    await page.getByRole('button', { name: 'New number sequence' }).click()
    await save(page, 'New number sequence', async (form) => {
      await form.getByLabel('Name').fill('Invoices of the shop')
      await form.getByLabel('Format').fill('S-{SEQ:4}')
    })
    await page.getByRole('form').getByText('A pattern that begins anew needs the year').waitFor()
    await save(page, 'New number sequence', async (form) => {
      await form.getByLabel('Format').fill('S{YY}-{SEQ:4}')
      await form.getByLabel('Next number').fill('7')
      await form.getByLabel('Use this numbering').check()
    })
    await page.getByRole('row', { name: /Invoices of the shop.*In use.*S\{YY\}-\{SEQ:4\}.*7/ }).waitFor()
    const { data: invoice } = (await installation.call('POST', '/api/invoices', {
      items: [{ name: 'Lamp', unitPrice: '1' }],
    })) as { data: { id: string } }
    expect(await installation.call('POST', `/api/invoices/${invoice.id}/issue`)).toMatchObject({
      data: { number: expect.stringMatching(/^S\d\d-0007$/) },
    })
    await page.getByRole('button', { name: 'Edit Invoices of the shop' }).click()
    await save(page, 'Edit the number sequence', (form) => form.getByLabel('Next number').fill('3'))
    await page.getByRole('form').getByText('is used already').waitFor()
  })

  it('are read without a way to change them by whoever may not', async () => {
    const reader = await installation.workspace.employee({ roles: ['Read only'] })
    await installation.call('POST', '/api/product-categories', { name: `Tools ${unique()}` })
    const page = await signedIn('/settings/taxes', { as: reader })
    await page.getByRole('row', { name: /EUR Of the workspace/ }).waitFor()
    await page.goto('/product-categories')
    await opened(page, 'Categories')
    await page.getByRole('table', { name: 'Categories' }).waitFor()
    await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0)
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Numbering' }).count())
      .toBe(0)
  })
})
