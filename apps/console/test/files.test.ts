import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, openTab, type Page, type Person } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const { data: lead } = (await installation.call('POST', '/api/leads', { lastName: 'King' })) as { data: { id: string } }

async function openLead(as?: Person): Promise<Page> {
  const page = await signedIn(`/leads/${lead.id}`, { as })
  await page.getByRole('heading', { level: 1, name: 'King' }).waitFor()
  return page
}

/** A PDF of one page with three words. */
const onePage = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj
4 0 obj <</Length 46>> stream
BT /F 12 Tf 20 50 Td (Net thirty days) Tj ET  
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
`
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const files = (page: Page) => page.getByRole('list', { name: 'Files' })

describe('the files of a lead', () => {
  it('are added by button and by drop, saved, and deleted, and the timeline tells', async () => {
    const page = await openLead()
    await openTab(page, 'Files')
    await page.getByText('No files yet').waitFor()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'Größe.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
    ])
    await page.getByRole('status').getByText('2 files added').waitFor()
    await files(page).getByRole('link', { name: 'Größe.txt' }).waitFor()

    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.csv', { type: 'text/csv' })); return data })()`,
    )
    await page.getByTestId('drop-files').dispatchEvent('drop', { dataTransfer: dropped })
    const link = files(page).getByRole('link', { name: 'dropped.csv' })
    await link.waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      files(page).getByRole('link', { name: 'Größe.txt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Größe.txt')
    expect(await readFile(await download.path(), 'utf8')).toBe('hello')

    await page.getByRole('button', { name: 'Delete dropped.csv' }).click()
    await page.getByRole('status').getByText('File deleted').waitFor()
    await link.waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await link.waitFor()
    await page.getByRole('button', { name: 'Delete dropped.csv' }).click()
    await link.waitFor({ state: 'detached' })
    await openTab(page, 'Activity')
    await page.getByText('removed the file dropped.csv').first().waitFor()
    await page.getByRole('listitem').filter({ hasText: 'added the file two.txt' }).getByRole('link').waitFor()
  })

  it('are looked at in the page: a PDF by its pages, an image as it is, and nothing else', async () => {
    const page = await openLead()
    await openTab(page, 'Files')
    await page.locator('input[type=file]').setInputFiles([
      { name: 'terms.pdf', mimeType: 'application/pdf', buffer: Buffer.from(onePage) },
      { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') },
      { name: 'plain.txt', mimeType: 'text/plain', buffer: Buffer.from('plain') },
    ])
    await files(page).getByRole('link', { name: 'plain.txt' }).waitFor()
    await expect
      .poll(() =>
        files(page)
          .getByRole('link', { name: /^Preview / })
          .count(),
      )
      .toBe(2)
    await files(page).getByRole('link', { name: 'Preview dot.png' }).click()
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
    await page.goBack()
    await files(page).getByRole('link', { name: 'Preview terms.pdf' }).click()
    await page.getByRole('region', { name: 'Page 1' }).getByText('Net thirty days').waitFor({ state: 'attached' })
    expect(await allBarriers(page)).toEqual([])
  })

  it('are shown without buttons to whoever only reads', async () => {
    const reader = await installation.workspace.employee({ roles: ['Read only'] })
    const page = await openLead(reader)
    await openTab(page, 'Files')
    await files(page).getByRole('link', { name: 'two.txt' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Add files' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
  })
})
