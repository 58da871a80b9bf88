import { unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown): Promise<string> =>
  ((await installation.call('POST', path, body)) as { data: { id: string } }).data.id

const companyId = await create('/api/companies', {
  name: 'Analytical Engines',
  domain: 'engines.example',
  size: '11-50',
})
await create('/api/companies', { name: 'Difference Works', parentId: companyId })
await Promise.all(
  Array.from({ length: 23 }, (_, at) =>
    create('/api/contacts', { firstName: 'Guest', lastName: `Number ${String(at).padStart(2, '0')}` }),
  ),
)

const rows = (page: Page, table: string) => page.getByRole('grid', { name: table }).locator('tbody').getByRole('row')

it('a contact is added, found, changed, commented on and deleted', async () => {
  const page = await signedIn('/contacts?pageSize=20')
  await rows(page, 'Contacts').nth(9).getByRole('link').first().waitFor()
  await page.locator('[data-scroll-restoration-id]').evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
  await rows(page, 'Contacts').and(page.locator('[aria-rowindex="24"]')).getByRole('link').waitFor()

  await page.getByRole('button', { name: 'New contact' }).click()
  const form = page.getByRole('form', { name: 'New contact' })
  await form.getByLabel('First name').fill('Ada')
  await form.getByLabel('Email', { exact: true }).fill('ada@engines.example')
  await form.getByLabel('Phone', { exact: true }).fill('030 901820')
  await form.getByRole('combobox', { name: 'Company' }).fill('analytical')
  await page.getByRole('option', { name: 'Analytical Engines' }).click()
  await form.getByRole('button', { name: 'Create contact', exact: true }).click()
  await form.getByText('Start the phone number with + and the country code').waitFor()
  await form.getByLabel('Phone', { exact: true }).fill('+49 30 901820')
  await form.getByRole('button', { name: 'Create contact', exact: true }).click()

  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
  const details = page.getByRole('region', { name: 'Key facts' })
  await details.getByText('+4930901820').waitFor()
  await details.getByRole('link', { name: 'Analytical Engines' }).waitFor()
  const contactId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await create('/api/deals', { name: 'An engine', amount: '1200', contactId, companyId })

  await details.getByRole('button', { name: 'Edit Last name' }).click()
  await details.getByRole('textbox', { name: 'Last name' }).fill('King')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor()
  await details.getByRole('button', { name: /^Show empty fields/ }).click()
  await details.getByRole('button', { name: 'Edit Other emails' }).click()
  await details.getByRole('combobox', { name: 'Other emails' }).fill('countess@engines.example')
  await page.keyboard.press('Enter')
  await details.getByRole('button', { name: 'Save' }).click()
  await details.getByText('countess@engines.example').waitFor()

  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Wrote the first program')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('list', { name: 'Activity feed' }).getByText('Wrote the first program').waitFor()
  await page.getByRole('list', { name: 'Activity feed' }).getByText('created this contact').waitFor()

  await page.reload()
  await page.getByRole('list', { name: 'Deals' }).getByText('An engine').waitFor()
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('ada')
  await page.getByText('1 contact found').waitFor()
  await rows(page, 'Contacts').first().getByText('+4930901820').waitFor()
  await rows(page, 'Contacts').first().getByRole('link', { name: 'Ada King' }).click()
  await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Contact deleted').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/contacts')
})

it('a company shows who and what belongs to it, and refuses to stand below itself', async () => {
  const contactId = await create('/api/contacts', { firstName: 'Charles', lastName: 'Babbage', companyId })
  const page = await signedIn('/companies?sortBy=name&sortOrder=asc')
  await rows(page, 'Companies').first().getByRole('link', { name: 'Analytical Engines' }).click()
  await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
  const related = page.getByRole('region', { name: 'Related', exact: true })
  await related.getByRole('list', { name: 'Companies below' }).getByText('Difference Works').waitFor()
  await related.getByRole('list', { name: 'Contacts' }).getByRole('link', { name: 'Charles Babbage' }).waitFor()

  const facts = page.getByRole('region', { name: 'Key facts' })
  await facts.getByRole('button', { name: 'Edit Domain' }).click()
  await facts.getByRole('textbox', { name: 'Domain' }).fill('https://www.engines.example/about')
  await page.keyboard.press('Enter')
  await facts.getByText('engines.example', { exact: true }).waitFor()
  await facts.getByRole('button', { name: /^Show empty fields/ }).click()
  await facts.getByRole('button', { name: 'Edit Part of' }).click()
  await facts.getByRole('combobox', { name: 'Part of' }).fill('difference')
  await page.getByRole('option', { name: 'Difference Works' }).click()
  await facts.getByText('A company cannot belong to itself or to one below it').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('list', { name: 'Contacts' }).getByRole('link', { name: 'Charles Babbage' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/contacts/${contactId}`)
  await page.getByRole('region', { name: 'Key facts' }).getByRole('link', { name: 'Analytical Engines' }).waitFor()
})

it('what is related to a record stands in one region: five of each kind, with sums, to be added to and seen in full', async () => {
  const { id } = { id: await create('/api/companies', { name: 'Related Ltd' }) }
  for (const at of Array.from({ length: 6 }).keys())
    await create('/api/deals', { name: `Order ${at}`, amount: '1000.50', companyId: id })
  await create('/api/quotes', { companyId: id, items: [{ name: 'Gear', unitPrice: '70' }] })
  const page = await signedIn(`/companies/${id}`)
  const related = page.getByRole('region', { name: 'Related', exact: true })
  const deals = related.getByRole('region', { name: 'Deals' })
  await deals.getByText('6 · €6,003').waitFor()
  await expect.poll(() => deals.getByRole('listitem').count()).toBe(5)
  await related.getByRole('region', { name: 'Quotes' }).getByRole('listitem').getByText('€70').waitFor()
  await related.getByRole('region', { name: 'Contacts' }).getByRole('button', { name: 'Add Contacts' }).click()
  const form = page.getByRole('form', { name: 'New contact' })
  await expect.poll(() => form.getByRole('combobox', { name: 'Company' }).inputValue()).toBe('Related Ltd')
  await form.getByLabel('Last name').fill('Byron')
  await form.getByRole('button', { name: 'Create contact', exact: true }).click()
  await related.getByRole('list', { name: 'Contacts' }).getByRole('link', { name: 'Byron' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/companies/${id}`)
  await page.getByRole('tab', { name: 'Quotes' }).click()
  await page.getByRole('table', { name: 'Quotes' }).getByRole('row', { name: /€70/ }).waitFor()
  await deals.getByRole('link', { name: 'See all Deals' }).click()
  await page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor()
  await page.getByRole('list', { name: 'Filters' }).getByText('Company is Related Ltd').waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^Order \d$/ }).count()).toBe(6)
})

it('a record shows what it came from and what came of it, and nothing that its reader may not see', async () => {
  const lead = await create('/api/leads', { lastName: 'Mary', companyName: 'Somerville' })
  const { dealId } = (
    (await installation.call('POST', `/api/leads/${lead}/convert`, {})) as { data: { dealId: string } }
  ).data
  const page = await signedIn(`/leads/${lead}`)
  const related = page.getByRole('region', { name: 'Related', exact: true })
  for (const kind of ['Contact', 'Company', 'Deals']) await related.getByRole('list', { name: kind }).waitFor()
  await related.getByRole('list', { name: 'Deals' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Somerville' }).waitFor()
  await related.getByRole('list', { name: 'Lead', exact: true }).getByRole('link', { name: 'Mary' }).waitFor()
  const narrow = await installation.workspace.employee({ grant: { permissions: ['VIEW_DEAL'], access: [] } })
  const theirs = await signedIn(`/deals/${dealId}`, { as: narrow })
  await theirs.getByRole('heading', { level: 1, name: 'Somerville' }).waitFor()
  await theirs.getByRole('list', { name: 'Activity feed' }).waitFor()
  await expect.poll(() => theirs.getByRole('region', { name: 'Related', exact: true }).count()).toBe(0)
})

it('the list of contacts brings the names of all companies on a page along', async () => {
  const mark = unique()
  const companies = await Promise.all(
    Array.from({ length: 5 }, (_, at) => create('/api/companies', { name: `Guild ${mark}.${at}` })),
  )
  await Promise.all(
    companies.map((of, at) => create('/api/contacts', { lastName: `Member ${mark}.${at}`, companyId: of })),
  )
  const page = await signedIn('/tasks')
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/companies')) asked.push(request.url())
  })
  await page.getByRole('link', { name: 'Contacts' }).click()
  for (const at of companies.keys())
    await rows(page, 'Contacts')
      .filter({ hasText: `Member ${mark}.${at}` })
      .getByText(`Guild ${mark}.${at}`)
      .waitFor()
  expect(asked).toEqual([])
})

it('a contact is duplicated in a form, and merged with another one', async () => {
  const person = { firstName: 'Grace', jobTitle: 'Admiral', email: 'grace@navy.example', companyId }
  const lastName = `Murray${unique()}`
  const id = await create('/api/contacts', { ...person, lastName: 'Hopper' })
  const other = await create('/api/contacts', { ...person, lastName, phone: '+12025550134' })
  await create('/api/deals', { name: 'A compiler', contactId: other })
  const page = await signedIn(`/contacts/${id}`)
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Duplicate')
  const form = page.getByRole('form', { name: 'New contact' })
  await expect.poll(() => form.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe('Admiral')
  await expect.poll(() => form.getByRole('combobox', { name: 'Company' }).inputValue()).toBe('Analytical Engines')
  await page.keyboard.press('Escape')

  await choose('Merge')
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' })
  await dialog.getByRole('combobox', { name: 'Merge with' }).click()
  await page.getByRole('option', { name: `Grace ${lastName}` }).click()
  await dialog.getByRole('radiogroup', { name: 'Last name' }).getByRole('radio', { name: lastName }).check()
  await dialog.getByText('You can undo this.').waitFor()
  expect(await allBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: `Grace ${lastName}` }).waitFor()
  await page.getByText('+12025550134').first().waitFor()
  await page.getByRole('link', { name: 'A compiler' }).first().waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
})

it('duplicates are found, compared and merged, one of them left alone', async () => {
  const email = `${unique()}@twins.example`
  const kept = await create('/api/contacts', { firstName: 'Ida', lastName: 'Rhodes', email, jobTitle: 'Analyst' })
  const gone = await create('/api/contacts', { firstName: 'Ida', lastName: 'Roads', email, phone: '+12025550177' })
  await create('/api/contacts', { firstName: 'Isidor', lastName: 'Rhodes', email })
  const page = await signedIn('/settings/duplicates?kind=CONTACT')
  await page.getByRole('heading', { level: 1, name: 'Duplicates' }).waitFor()
  await page.getByRole('button', { name: `Compare ${email}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' })
  await dialog
    .getByRole('radiogroup', { name: 'Which one stays' })
    .getByRole('radio', { name: /Ida Rhodes/ })
    .check()
  await dialog.getByRole('checkbox', { name: /Isidor Rhodes/ }).uncheck()
  await dialog.getByRole('radiogroup', { name: 'Last name' }).getByRole('radio', { name: 'Roads' }).check()
  expect(await allBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge 2 contacts' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await installation.call('GET', `/api/contacts/${kept}`)).toMatchObject({
    data: { lastName: 'Roads', jobTitle: 'Analyst', phone: '+12025550177' },
  })
  await expect(installation.call('GET', `/api/contacts/${gone}`)).rejects.toThrow(`"mergedIntoId":"${kept}"`)
  await page.getByRole('button', { name: `Compare ${email}` }).waitFor()
})
