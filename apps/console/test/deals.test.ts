import { launchBrowser, testPassword } from '@crm/testkit'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { adminEmail, startInstallation, type Installation } from './installation.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let installation: Installation
let browser: Browser

/** What the pages complained about: faults, and what the Content-Security-Policy refused. */
const complaints: string[] = []

beforeAll(async () => {
  installation = await startInstallation()
  browser = await launchBrowser()
  await installation.call('POST', '/api/deals', { name: 'Windmill', amount: '125000.50', expectedCloseDate: '2027-03-01', items: [{ name: 'Blade', quantity: '3', unitPrice: '10' }] })
  await installation.call('POST', '/api/projects', { name: 'Old house', status: 'ON_HOLD' })
})

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  const heard = complaints.splice(0)
  if (heard.length > 0) throw new Error(heard.join('\n'))
})

async function open(path: string, email = adminEmail): Promise<Page> {
  const context = await browser.newContext({ baseURL: installation.address })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(violatedDirective + ' ' + blockedURI))`)
  await page.goto(path)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

const column = (page: Page, stage: string) => page.getByRole('region', { name: stage })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe('deals', () => {
  it('move over the board by drag and by choice, and stand in the list', async () => {
    const page = await open('/deals')
    const card = (stage: string) => column(page, stage).getByRole('link', { name: 'Windmill' })
    await card('Discovery').waitFor()
    await column(page, 'Discovery').getByText('€125,000.50').waitFor()
    await column(page, 'Discovery').getByRole('listitem').dragTo(column(page, 'Proposal'))
    await card('Proposal').waitFor()
    await page.getByLabel('Stage of Windmill').selectOption({ label: 'Won' })
    await card('Won').waitFor()
    await page.getByRole('button', { name: 'Show as list' }).click()
    await page.getByRole('table', { name: 'Deals' }).getByRole('row', { name: /Windmill.*Won/ }).waitFor()
    await page.getByLabel('Search deals').fill('nothing like it')
    await page.getByText('No deal here').waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('list')
  })

  it('are added, changed, commented on, moved and deleted, and their timeline tells', async () => {
    const page = await open('/deals')
    await page.getByRole('button', { name: 'New deal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Lighthouse')
    await dialog.getByLabel('Amount').fill('a lot')
    await dialog.getByRole('button', { name: 'Create deal' }).click()
    await dialog.getByText('Expected a decimal number').waitFor()
    await dialog.getByLabel('Amount').fill('9000')
    await dialog.getByRole('button', { name: 'Create deal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lighthouse' }).waitFor()
    await page.getByRole('group', { name: /^Stage in/ }).getByRole('button', { name: 'Lost' }).click()
    await said(page, 'Moved to Lost')
    await page.getByText('moved the stage').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Reason for losing it').fill('Too dear')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')
    await page.getByRole('definition').getByText('Too dear').waitFor()
    await page.getByLabel('Comment', { exact: true }).fill('Ask again in spring')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByRole('list', { name: 'Comments' }).getByText('Ask again in spring').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await said(page, 'The deal was deleted')
    await column(page, 'Discovery').waitFor()
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor({ state: 'detached' })
  })

  it('have activities: logged at once, or planned and then done', async () => {
    const page = await open('/deals?view=list')
    await page.getByRole('link', { name: 'Windmill' }).click()
    const log = async (kind: string, subject: string, startAt: string) => {
      await page.getByRole('button', { name: 'Log activity' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Kind').selectOption({ label: kind })
      await dialog.getByLabel('Subject').fill(subject)
      await dialog.getByLabel('When').fill(startAt)
      await dialog.getByRole('button', { name: 'Log activity' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await log('Call', 'First call', '')
    await page.getByText('logged a call').waitFor()
    await log('Meeting', 'Site visit', '2099-01-01T10:00')
    const visit = page.getByRole('list', { name: 'Activities' }).getByRole('listitem').filter({ hasText: 'Site visit' })
    await visit.getByText('Planned').waitFor()
    await page.getByRole('button', { name: 'Mark Site visit as done' }).click()
    await visit.getByText('Done').waitFor()
    await page.getByRole('table', { name: 'Items' }).getByRole('cell', { name: 'Blade' }).waitFor()
  })

  it('are shown without a way to change them to whoever only reads', async () => {
    const email = 'reader@console.test'
    await installation.crm('user', 'create', '--workspace', 'console', '--email', email, '--password', testPassword, '--role', 'Read only')
    const page = await open('/deals', email)
    await page.getByRole('link', { name: 'Windmill' }).waitFor()
    expect(await page.getByLabel('Stage of Windmill').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New deal' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Windmill' }).click()
    await page.getByRole('heading', { level: 1, name: 'Windmill' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
  })
})

describe('projects', () => {
  it('are found, added, changed, and tell what happened', async () => {
    const page = await open('/projects')
    await page.getByRole('row', { name: /Old house.*On hold/ }).waitFor()
    await page.getByRole('button', { name: 'New project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('New house')
    await dialog.getByLabel('Budget').fill('1000')
    await dialog.getByRole('checkbox').first().check()
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { level: 1, name: 'New house' }).waitFor()
    await page.getByRole('definition').getByText('€1,000').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Status').selectOption({ label: 'Completed' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')
    await page.getByRole('definition').getByText('100 %').waitFor()
    await page.getByText('changed the status').waitFor()
    await page.getByText('created the project').waitFor()
  })
})
