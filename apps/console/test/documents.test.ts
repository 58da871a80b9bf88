import { describe, expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, openTab, type Page } from './pages.ts'
import { templateVariables, variableKinds } from '../web/src/features/documents/template-variables.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown): Promise<{ id: string; warnings?: unknown[] }> =>
  ((await installation.call('POST', path, body)) as { data: { id: string } }).data
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()
const opened = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
/** Waits until nothing moves, so that axe judges the final colours. */
const settled = (page: Page) =>
  page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null)))')

const company = await create('/api/companies', { name: 'Harbour Works' })

describe('a template', () => {
  it('is written with variables, told what stands for nothing, listed and deleted', async () => {
    const page = await signedIn('/document-templates')
    await page.getByRole('button', { name: 'New template' }).click()
    const form = page.getByRole('form', { name: 'New template' })
    await form.getByLabel('Name').fill('Keeper contract')
    await form.getByLabel('Type').fill('CONTRACT')
    await form.getByLabel('Text').fill('# Contract {{')
    await form.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await form.getByLabel('Text').fill('# Contract with ')
    await form.getByLabel('Insert fields from').selectOption('COMPANY')
    await form.getByLabel('Text').focus()
    await form.getByRole('button', { name: 'record.name', exact: true }).click()
    await expect.poll(() => form.getByLabel('Text').inputValue()).toBe('# Contract with {{record.name}}')
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await form.getByRole('button', { name: 'Create template' }).click()
    await opened(page, 'Keeper contract')

    const editor = page.getByRole('form', { name: 'Template' })
    await editor.getByLabel('Text').fill('# Contract with {{record.name}}\n\nWeather: {{record.wether}}')
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Nothing is known to stand for {{record.wether}}').waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await editor.getByLabel('Name').fill('Contract of keepers')
    await editor.getByRole('button', { name: 'Save' }).click()
    await opened(page, 'Contract of keepers')
    await page.getByRole('link', { name: 'Document templates' }).first().click()
    await page
      .getByRole('grid', { name: 'Document templates' })
      .getByRole('row', { name: /Contract of keepers.*CONTRACT/ })
      .waitFor()
    await page.getByRole('link', { name: 'Contract of keepers' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Template deleted')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await opened(page, 'Contract of keepers')
  })

  it('may hold every variable that is offered', async () => {
    for (const kind of variableKinds) {
      const body = templateVariables(kind)
        .map((path) => `{{${path}}}`)
        .join(' ')
      expect(await create('/api/documents', { name: `All of ${kind}`, body })).toMatchObject({ warnings: [] })
    }
  })
})

describe('a document, in dark on a phone', () => {
  it('is made on the page of its record, looked at, marked and found again', async () => {
    const template = await create('/api/documents', {
      name: 'Offer to keepers',
      kind: 'LETTER',
      body: '# Dear {{record.name}}\n\nIt is {{today}}.',
    })
    const page = await signedIn(`/companies/${company.id}`, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 900 },
    })
    await openTab(page, 'Documents')
    const panel = page.getByRole('region', { name: 'Documents', exact: true })
    await panel.getByRole('button', { name: 'New document' }).click()
    const form = page.getByRole('form', { name: 'New document' })
    await form.getByLabel('Template').selectOption({ label: 'Offer to keepers' })
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await form.getByRole('button', { name: 'Create document' }).click()
    await said(page, 'Document created')
    const title = 'Offer to keepers, Harbour Works'
    await panel.getByRole('button', { name: title, exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('region', { name: 'Page 1' })
      .getByText('Dear Harbour Works')
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await openTab(page, 'Files')
    await page.getByRole('region', { name: 'Files' }).getByText(`${title}.pdf`).waitFor()
    await openTab(page, 'Documents')
    await panel.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Mark as sent' }).click()
    await panel.getByRole('listitem').filter({ hasText: title }).getByText('Sent').waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])

    await page.goto('/documents')
    await page.getByRole('row', { name: new RegExp(`${title}.*Sent`) }).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('Status').selectOption({ label: 'Draft' })
    await page.getByText('No documents match').waitFor()
    await page.goto(`/document-templates/${template.id}`)
    await page.getByRole('link', { name: 'Documents created from it' }).click()
    await page.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Document deleted')
    await page.getByText('No documents match').waitFor()
  })
})

it('a person who only reads sees templates and documents without a way to change them', async () => {
  const reader = await installation.workspace.employee({ roles: ['Read only'] })
  const { id } = await create('/api/documents', { name: 'House rules', body: 'No fire at {{record.name}}' })
  await create('/api/document-records', { documentId: id, entityType: 'COMPANY', entityId: company.id })
  const page = await signedIn(`/document-templates/${id}`, { as: reader })
  await page.getByText('No fire at {{record.name}}').waitFor()
  await expect
    .poll(() =>
      page
        .getByRole('main')
        .getByRole('button', { name: /Save|Delete/ })
        .count(),
    )
    .toBe(0)
  await page.goto(`/companies/${company.id}`)
  await openTab(page, 'Documents')
  const panel = page.getByRole('region', { name: 'Documents', exact: true })
  await panel.getByRole('button', { name: 'Actions for House rules, Harbour Works' }).click()
  await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Download'])
  await expect.poll(() => panel.getByRole('button', { name: 'New document' }).count()).toBe(0)
})
