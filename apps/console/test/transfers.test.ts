import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

await installation.call('POST', '/api/contacts', { firstName: 'Ada', lastName: 'Before', email: 'ada@example.com' })

const csv = [
  'Vorname;Last name;E-Mail;Nonsense',
  'Ada;After;ada@example.com;x',
  'Grace;Hopper;grace@example.com;y',
  'Bad;Row;nowhere;z',
].join('\r\n')

describe('imports', () => {
  it('take a file by its columns, update what is there, tell of bad rows, and are taken back', async () => {
    const page = await signedIn('/settings/import')
    await page.getByText('No imports yet').waitFor()
    await page.getByRole('button', { name: 'New import' }).click()
    const dialog = page.getByRole('dialog', { name: 'New import' })
    await dialog.getByLabel('Record type').selectOption('CONTACT')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await dialog.getByText('Ada · Grace · Bad').waitFor()
    await expect.poll(() => dialog.getByLabel('Field for Last name').inputValue()).toBe('lastName')
    await expect.poll(() => dialog.getByLabel('Field for E-Mail').inputValue()).toBe('email')
    await dialog.getByLabel('Field for Vorname').selectOption('lastName')
    await dialog.getByText('only one column can go there').waitFor()
    await dialog.getByLabel('Field for Vorname').selectOption('firstName')
    await dialog.getByLabel('Update').check()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()

    const outcome = page.getByRole('dialog', { name: 'people.csv' })
    await outcome.getByText('1 created, 1 updated, 0 skipped, 1 with errors').waitFor()
    await outcome.getByRole('cell', { name: '4', exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      outcome.getByRole('link', { name: 'Download all rows with errors' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('Bad,Row,nowhere,z')
    expect(await installation.call('GET', '/api/contacts?search=ada@example.com')).toMatchObject({
      items: [{ lastName: 'After' }],
    })

    await outcome.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
    await outcome.getByText('records undone').waitFor()
    expect(await installation.call('GET', '/api/contacts')).toMatchObject({ total: 1, items: [{ lastName: 'Before' }] })
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Imports' }).getByText('Undone').waitFor()
  })
})

describe('imports of products', () => {
  it('find products by their SKU and offer custom fields to whoever may import', async () => {
    const importer = await installation.workspace.employee({ roles: ['Manager'] })
    const fields = await signedIn('/settings/fields')
    await fields.getByRole('button', { name: 'New field' }).first().click()
    const form = fields.getByRole('dialog')
    await form.getByLabel('Label').fill('Shoe size')
    await form.getByRole('button', { name: 'Save' }).click()
    await fields.getByText('cf_shoeSize').waitFor()

    const page = await signedIn('/settings/import', { as: importer })
    await expect.poll(() => page.getByRole('link', { name: 'Fields', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'New import' }).click()
    const dialog = page.getByRole('dialog', { name: 'New import' })
    await page.locator('input[type=file]').setInputFiles({
      name: 'goods.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('SKU,Name,Base price,Shoe size\nA-1,Anvil,12.50,44\n'),
    })
    await dialog.getByLabel('Field for Shoe size').waitFor()
    await expect.poll(() => dialog.getByLabel('Field for Shoe size').inputValue()).toBe('cf_shoeSize')
    await dialog.getByLabel('Record type').selectOption('Products')
    await dialog.getByText('Products are matched on their SKU.').waitFor()
    await expect.poll(() => dialog.getByLabel('Field for SKU').inputValue()).toBe('sku')
    await dialog.getByLabel('Update').check()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'goods.csv' })
      .getByText('1 created, 0 updated, 0 skipped, 0 with errors')
      .waitFor()
    expect(await installation.call('GET', '/api/products')).toMatchObject({
      items: [{ sku: 'A-1', basePrice: '12.50' }],
    })
  })
})

describe('exports', () => {
  it('hold what the list shows, with its filters', async () => {
    for (const firstName of ['Nina', 'Nino', 'Otto'])
      await installation.call('POST', '/api/leads', { firstName, lastName: 'Export' })
    const page = await signedIn('/leads?search=nin')
    await page.getByText('2 leads found').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    await dialog.getByText('2 records exported').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download the file' }).click(),
    ])
    const file = await readFile(await download.path(), 'utf8')
    expect(file).toContain('Nina')
    expect(file).not.toContain('Otto')
  })

  it('are offered only to whoever may export', async () => {
    const member = await installation.workspace.employee({ roles: ['Member'] })
    const page = await signedIn('/leads', { as: member })
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Export' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Import' }).count()).toBe(0)
  })
})
