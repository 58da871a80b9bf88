import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { allBarriers, barriersInBothThemes } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

/** Files as HubSpot exports them: ids lead from one to the other. */
const hubspot = {
  'companies.csv': [
    'Record ID,Company name,Company Domain Name,City,Create Date',
    '7001,Harbour Works,harbour.example,Hamburg,2024-02-01 09:30',
    '7002,Mill & Sons,mill.example,Lyon,2024-03-05 14:00',
  ],
  'contacts.csv': [
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company IDs,Create Date',
    '51,Jürgen,Müller,jm@harbour.example,+49 30 123456,admin@example.com,7001,2024-02-02 10:00',
    '52,Rita,Newcomer,rita@mill.example,+33 1 23 45 67 89,,7002,2024-03-06 10:00',
    '53,Otto,Nowhere,not an address,+49 40 55512,,,2024-03-07 10:00',
  ],
  'deals.csv': [
    'Record ID,Deal Name,Deal Stage,Amount,Close Date,Associated Contact IDs,Associated Company IDs',
    '901,New crane,Proposal,"12,500.00",2026-04-03 10:00,51,7001',
  ],
}
const csvOf = ([name, lines]: readonly [string, readonly string[]]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})

describe('moving in', () => {
  it('takes the three files of another program in few clicks, links them, and takes them back', async () => {
    const { page, clicks } = await counted(await signedIn('/'))
    await page.getByRole('link', { name: 'Move in from another program' }).click()
    await page.getByRole('heading', { level: 1, name: 'Move in' }).waitFor()
    await page.getByText('Nothing imported yet').waitFor()
    await page.getByLabel('Where the files come from').selectOption('HubSpot')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ])
    await chooser.setFiles(Object.entries(hubspot).map(csvOf))
    const contacts = page.getByRole('region', { name: 'contacts.csv' })
    await contacts.getByLabel('What each row is').waitFor()
    await expect.poll(() => contacts.getByLabel('What each row is').inputValue()).toBe('CONTACT')
    await contacts.getByText('Jürgen · Rita · Otto').waitFor()
    await expect.poll(() => contacts.getByLabel('Where Last Name goes').inputValue()).toBe('lastName')
    await page.getByRole('button', { name: 'Try' }).click()
    await page.getByText('1 value would be left out.').waitFor()
    const problems = page.getByRole('table', { name: 'Problems in contacts.csv' })
    await problems.getByText('“not an address” is not an email address.').waitFor()
    expect(await installation.call('GET', '/api/contacts')).toMatchObject({ total: 0 })
    expect(await allBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 value was left out.').waitFor()
    expect(await clicks()).toBeLessThanOrEqual(12)
    await installation.call('GET', '/api/deals?expand=company,contact').then((deals) =>
      expect(deals).toMatchObject({
        items: [
          {
            name: 'New crane',
            amount: '12500.00',
            company: { name: 'Harbour Works' },
            contact: { name: 'Jürgen Müller' },
          },
        ],
      }),
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all problems' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('not an address')

    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('6 records were undone.').waitFor()
    expect(await installation.call('GET', '/api/companies')).toMatchObject({ total: 0 })
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByRole('table', { name: 'Your imports' }).getByText('Undone').waitFor()
  })

  it.each([1280, 390])(
    'shows how days and numbers are read, and lets a column be read otherwise (%i wide)',
    async (width) => {
      const page = await signedIn('/settings/import', { viewport: { width, height: 800 } })
      const lines = ['Deal Name;Amount;Close Date', 'Loom;1.234;03/04/2027', 'Mill;2.500;05/06/2027']
      await page.locator('input[type=file]').setInputFiles([csvOf(['deals.csv', lines])])
      const file = page.getByRole('region', { name: 'deals.csv' })
      await expect.poll(() => file.getByLabel('What each row is').inputValue()).toBe('DEAL')
      const reads = (header: string) =>
        file
          .getByRole('list', { name: `What ${header} is read as` })
          .getByRole('listitem')
          .allTextContents()
      await file.getByLabel('Dates in Close Date').selectOption('Day first: 31/12/2026')
      await expect.poll(() => reads('Close Date')).toEqual(['03/04/2027 → 3 Apr 2027', '05/06/2027 → 5 Jun 2027'])
      await file.getByLabel('Dates in Close Date').selectOption('Month first: 12/31/2026')
      await expect.poll(() => reads('Close Date')).toEqual(['03/04/2027 → 4 Mar 2027', '05/06/2027 → 6 May 2027'])
      await file.getByLabel('Numbers in Amount').selectOption('1.234,50')
      await expect.poll(() => reads('Amount')).toEqual(['1.234 → 1,234', '2.500 → 2,500'])
      await file.getByLabel('Numbers in Amount').selectOption('1,234.50')
      await expect.poll(() => reads('Amount')).toEqual(['1.234 → 1.234', '2.500 → 2.5'])
      expect(await barriersInBothThemes(page)).toEqual([])
    },
  )

  it('asks what the files leave open, and makes a field for a column that fits none', async () => {
    const page = await signedIn('/settings/import')
    await page
      .locator('input[type=file]')
      .setInputFiles([csvOf(['people.csv', ['Vorname;Nachname;Shoe size;Birthday', 'Ada;Byron;38;03/04/1990']])])
    const file = page.getByRole('region', { name: 'people.csv' })
    await expect.poll(() => file.getByLabel('What each row is').inputValue()).toBe('CONTACT')
    await page.getByLabel('Dates in people.csv').selectOption('Month first: 12/31/2026')
    await file.getByLabel('Where Shoe size goes').selectOption('New field “Shoe size”')
    await expect.poll(() => file.getByLabel('Where Shoe size goes').inputValue()).toBe('cf_shoeSize')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Everything came in.').waitFor()
    expect(await installation.call('GET', '/api/contacts?search=Byron')).toMatchObject({
      items: [{ firstName: 'Ada', customFields: { shoeSize: '38' } }],
    })
  })
})

/** Counts the clicks on a page, and lists that are chosen from. */
async function counted(page: Page) {
  const count = `(() => { let n = Number(sessionStorage.clicks ?? 0);
    for (const kind of ['click', 'change']) addEventListener(kind, ({ target, isTrusted, type }) => {
      if ((type === 'click' && isTrusted) || target.tagName === 'SELECT') sessionStorage.clicks = ++n
    }, true) })()`
  await page.addInitScript(count)
  await page.evaluate(count)
  return { page, clicks: () => page.evaluate<number>('Number(sessionStorage.clicks)') }
}

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
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Pin to sidebar' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Export' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Move in' }).count()).toBe(0)
  })
})
