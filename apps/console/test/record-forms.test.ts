import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { go, openPages, openTab, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call, inSettings } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string; stages: { id: string; name: string }[] } }).data
const options = [
  { value: 'n', label: 'North' },
  { value: 's', label: 'South' },
]
await inSettings('POST', '/api/settings/custom-fields', {
  entityType: 'LEAD',
  key: 'region',
  label: 'Region',
  type: 'SELECT',
  isRequired: true,
  options,
})
await inSettings('POST', '/api/settings/custom-entities', {
  key: 'vehicle',
  labels: { singular: 'Vehicle', plural: 'Vehicles' },
  fields: [
    { key: 'plate', label: 'Plate', type: 'TEXT', isRequired: true },
    { key: 'extras', label: 'Extras', type: 'MULTI_SELECT', options },
    { key: 'price', label: 'List price', type: 'CURRENCY' },
  ],
})
await create('/api/companies', { name: 'Analytical Engines' })
const nora = await workspace.employee({ roles: ['Administrator'] })
await inSettings('PATCH', `/api/settings/users/${nora.id}`, { firstName: 'Nora', lastName: 'Field' })

const sizes = [
  ['1440 px', { width: 1440, height: 900 }],
  ['390 px', { width: 390, height: 844 }],
] as const

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

/** Chooses in a combobox by typing. */
const choose = async (page: Page, name: string, text: string, option = text) => {
  await page.getByRole('combobox', { name, exact: true }).fill(text)
  await page.getByRole('listbox', { name }).getByRole('option', { name: option, exact: true }).click()
}

it('a lead is not made without what is required, and says so at the field', async () => {
  const page = await signedIn('/leads')
  await page.getByRole('button', { name: 'New lead' }).click()
  const form = page.getByRole('form', { name: 'New lead' })
  await form.getByRole('textbox', { name: 'First name' }).fill('Rita')
  await form.getByRole('button', { name: 'Create lead', exact: true }).click()
  await form.getByText('Region is required.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.textContent')).toContain('Region')
  await form.getByRole('textbox', { name: 'Phone' }).fill('030 1234')
  await choose(page, 'Region', 'North')
  await form.getByRole('button', { name: 'Create lead', exact: true }).click()
  await form.getByText('Start the phone number with + and the country code').waitFor()
  await form.getByRole('textbox', { name: 'Phone' }).fill('+49 30 901820')
  await form.getByRole('button', { name: 'Create lead', exact: true }).click()
  await page.getByRole('heading', { name: 'Rita', level: 1 }).waitFor()
  await said(page, 'Lead created')
  await page.getByRole('region', { name: 'Key facts' }).getByText('North').waitFor()
})

it('a lead gets its owner, source, stage and tags from the dialog', async () => {
  const page = await signedIn('/leads')
  await page.getByRole('button', { name: 'New lead' }).click()
  const form = page.getByRole('form', { name: 'New lead' })
  await form.getByRole('textbox', { name: 'Last name' }).fill('Newcomer')
  await choose(page, 'Owner', 'Nora Field')
  await choose(page, 'Source', 'Website')
  await choose(page, 'Stage', 'Contacted')
  await choose(page, 'Region', 'South')
  await form.getByRole('combobox', { name: 'Tags' }).fill('fair')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Create lead', exact: true }).click()
  await page.getByRole('heading', { name: 'Newcomer', level: 1 }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await call('GET', `/api/leads/${id}?expand=owner,source,stage`)).toMatchObject({
    data: {
      owner: { name: 'Nora Field' },
      source: { name: 'Website' },
      stage: { name: 'Contacted' },
      tags: ['fair'],
      customFields: { region: 's' },
    },
  })
})

it('a deal gets everything that it has at once, and its contact is made on the way', async () => {
  const page = await signedIn('/deals')
  const newcomer = `Ada King${unique()}`
  await page.getByRole('button', { name: 'New deal' }).click()
  const form = page.getByRole('form', { name: 'New deal' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Engine no. 2')
  await choose(page, 'Company', 'Analytical', 'Analytical Engines')
  await choose(page, 'Contact', newcomer, `Create “${newcomer}”`)
  await said(page, 'Contact created')
  await form.getByRole('textbox', { name: 'Amount' }).fill('1.250,50')
  await form.getByLabel('Expected close').fill('2031-05-01')
  await choose(page, 'Owner', 'Nora Field')
  await choose(page, 'Stage', 'Proposal')
  await form.getByRole('button', { name: 'Create deal', exact: true }).click()
  await page.getByRole('heading', { name: 'Engine no. 2', level: 1 }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await call('GET', `/api/deals/${id}?expand=owner,company,contact,stage`)).toMatchObject({
    data: {
      amount: '1250.50',
      expectedCloseDate: '2031-05-01',
      owner: { name: 'Nora Field' },
      company: { name: 'Analytical Engines' },
      contact: { name: newcomer },
      stage: { name: 'Proposal' },
    },
  })
})

it('a record of a custom entity is made from its own fields', async () => {
  const page = await signedIn('/records/vehicle')
  await page.getByRole('button', { name: 'New Vehicle' }).click()
  const form = page.getByRole('form', { name: 'New Vehicle' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Van')
  await form.getByRole('button', { name: 'Create Vehicle', exact: true }).click()
  await form.getByText('Plate is required.').waitFor()
  await form.getByRole('textbox', { name: 'Plate' }).fill('B-1')
  await form.getByRole('button', { name: 'More fields' }).click()
  await form.getByRole('textbox', { name: 'List price' }).fill('12000')
  await form.getByRole('button', { name: 'Create Vehicle', exact: true }).click()
  await page.getByRole('heading', { name: 'Van', level: 1 }).waitFor()
  const facts = page.getByRole('region', { name: 'Key facts' })
  await facts.getByText('B-1').waitFor()
  await facts.getByRole('button', { name: 'Edit Plate' }).click()
  await facts.getByRole('textbox', { name: 'Plate' }).fill('')
  await page.keyboard.press('Enter')
  await facts.getByText('Plate is required.').waitFor()
  await facts.getByRole('textbox', { name: 'Plate' }).fill('B-2')
  await page.keyboard.press('Enter')
  await facts.getByText('B-2').waitFor()
})

it('the history of a record names what was done with it', async () => {
  const { id } = await create('/api/deals', { name: 'Wheel' })
  await create('/api/tasks', { title: 'Grease it', links: [{ entityType: 'DEAL', entityId: id }] })
  const page = await signedIn(`/deals/${id}?tab=activity`)
  const entry = page
    .getByRole('list', { name: 'Activity feed' })
    .getByRole('listitem')
    .filter({ hasText: 'added the task' })
  await entry.getByRole('link', { name: 'Grease it' }).click()
  await page.getByRole('heading', { name: 'Grease it', level: 1 }).waitFor()
})

it('a note is written on a record', async () => {
  const { id } = await create('/api/companies', { name: 'Loom' })
  const page = await signedIn(`/companies/${id}`)
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Likes to be called in the morning')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('list', { name: 'Activity feed' }).getByText('Likes to be called in the morning').waitFor()
})

it('a deleted record comes back', async () => {
  const { id } = await create('/api/companies', { name: 'Gone' })
  const page = await signedIn(`/companies/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await said(page, 'Company deleted')
  await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Gone', level: 1 }).waitFor()
  expect(await call('GET', `/api/companies/${id}`)).toMatchObject({ data: { name: 'Gone' } })
})

describe.each(sizes)('at %s', (_size, viewport) => {
  it('a record changes hands on its page, and the history names both', async () => {
    const { id } = await create('/api/leads', { firstName: 'Ada', customFields: { region: 'n' } })
    const page = await signedIn(`/leads/${id}`, { viewport })
    await page.getByRole('button', { name: 'Edit Owner' }).click()
    await choose(page, 'Owner', 'Nora Field')
    await page.getByRole('region', { name: 'Key facts' }).getByRole('link', { name: 'Nora Field' }).waitFor()
    if (viewport.width < 500) await openTab(page, 'Activity')
    await page.getByRole('list', { name: 'Activity feed' }).getByText('gave this lead to Nora Field').waitFor()
  })

  it('a task is added where it belongs, and is the next step', async () => {
    const { id } = await create('/api/deals', { name: `Mill ${viewport.width}` })
    const page = await signedIn(`/deals/${id}`, { viewport })
    const next = page.getByRole('region', { name: 'Next step' })
    await next.getByText('No next step').waitFor()
    await next.getByRole('button', { name: 'Add task' }).click()
    await next.getByRole('textbox', { name: 'Task title' }).fill('Send the offer')
    await next.getByRole('textbox', { name: 'Due date' }).fill('some day')
    await page.keyboard.press('Enter')
    await next.getByText('is not a day. Write one such as').waitFor()
    await next.getByRole('textbox', { name: 'Due date' }).fill('tomorrow 9')
    await page.keyboard.press('Enter')
    await next.getByRole('link', { name: 'Send the offer' }).waitFor()
    await openTab(page, 'Tasks')
    const tasks = page.getByRole('region', { name: 'Tasks' })
    await tasks.getByRole('list', { name: 'Tasks' }).getByRole('link', { name: 'Send the offer' }).waitFor()
    await tasks.getByRole('button', { name: 'Add task' }).click()
    await tasks.getByRole('textbox', { name: 'Task title' }).fill('Call them')
    await page.keyboard.press('Enter')
    await tasks.getByRole('checkbox', { name: 'Complete Call them' }).click()
    await tasks.getByRole('link', { name: 'Call them' }).waitFor({ state: 'detached' })
    if (viewport.width < 500) await openTab(page, 'Overview')
    await next.getByRole('checkbox', { name: 'Complete Send the offer' }).click()
    // No open task is left, so the deal asks for the next one.
    await next.getByRole('textbox', { name: 'Task title' }).waitFor()
  })
})

describe('a record that may already exist', () => {
  const opened = async (path: string, noun: string) => {
    const page = await signedIn(path)
    await page.getByRole('button', { name: `New ${noun}` }).click()
    const form = page.getByRole('form', { name: `New ${noun}` })
    return { page, form, likely: form.getByRole('region', { name: 'This may already exist' }) }
  }

  it('is shown while its values are typed, and keeps nobody from making another', async () => {
    const lastName = `Known${unique()}`
    const known = { firstName: 'Nell', lastName, email: `nell@${lastName}.example`.toLowerCase() }
    const { id } = await create('/api/leads', { ...known, customFields: { region: 'n' } })
    const { page, form, likely } = await opened('/leads', 'lead')
    await form.getByRole('textbox', { name: 'First name' }).fill('nell')
    await form.getByRole('textbox', { name: 'Last name' }).fill(lastName.toUpperCase())
    await likely.getByText(known.email).waitFor()
    const link = likely.getByRole('link', { name: `Nell ${lastName}` })
    await form.locator('[aria-live="polite"]').getByText('This may already exist').waitFor()
    await link.focus()
    const [other] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
    await other.getByRole('heading', { name: `Nell ${lastName}`, level: 1 }).waitFor()
    await other.waitForURL(`**/leads/${id}`)
    await other.close()

    await expect.poll(() => form.getByRole('textbox', { name: 'Last name' }).inputValue()).toBe(lastName.toUpperCase())
    await choose(page, 'Region', 'North')
    await form.getByRole('button', { name: 'Create and add another' }).click()
    await said(page, 'Lead created')
    await likely.waitFor({ state: 'detached' })
    expect(await call('GET', `/api/leads?search=${lastName}`)).toMatchObject({ total: 2 })
  })

  it('goes when the values are those of another one, and stays while the next answer is awaited', async () => {
    const number = unique()
    const [name, domain] = [`Silk Mill ${number}`, `silk${number}.example`]
    await create('/api/companies', { name, domain })
    const { page, form, likely } = await opened('/companies', 'company')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await likely.getByRole('link', { name }).waitFor()
    const { promise: released, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/companies/duplicates', async (route) => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/companies/duplicates')
    await form.getByRole('textbox', { name: 'Phone' }).fill('+49 30 9018')
    await asked
    await likely.getByRole('link', { name }).waitFor()
    answer()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name}s`)
    await likely.waitFor({ state: 'detached' })
    await form.getByRole('textbox', { name: 'Domain' }).fill(`https://www.${domain}/`)
    await likely.getByRole('link', { name }).waitFor()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('')
    await form.getByRole('textbox', { name: 'Domain' }).fill('')
    await form.getByRole('textbox', { name: 'Phone' }).fill('')
    await likely.waitFor({ state: 'detached' })
  })

  it('is shown for a contact by each of its addresses', async () => {
    const number = unique()
    await create('/api/contacts', { lastName: 'Loom', emails: [`second@loom${number}.example`] })
    const { form, likely } = await opened('/contacts', 'contact')
    await form.getByRole('textbox', { name: 'Email' }).first().fill(`Second@loom${number}.example`)
    await likely.getByRole('link', { name: 'Loom' }).waitFor()
  })
})

it('shows the facts of a record in groups, the most important ones first', async () => {
  const { id } = await create('/api/leads', {
    firstName: 'Grace',
    description: 'Met at the fair',
    utmSource: 'newsletter',
    customFields: { region: 's' },
  })
  const page = await signedIn(`/leads/${id}`)
  const facts = page.getByRole('region', { name: 'Key facts' })
  const group = (name: string) => facts.getByRole('group', { name, exact: true })
  await group('Details').getByText('Met at the fair').waitFor()
  await group('Origin').getByText('newsletter').waitFor()
  await group('Custom fields').getByText('South').waitFor()
  await expect.poll(() => facts.getByRole('group').count()).toBe(3)
  await expect
    .poll(() => facts.getByRole('heading').allInnerTexts())
    .toEqual(['Key facts', 'Details', 'Origin', 'Custom fields'])
  await facts.getByRole('button', { name: 'Show empty fields' }).click()
  await group('Origin').getByRole('button', { name: 'Edit UTM campaign' }).waitFor()
})

it('says on an open record who else changed it, until one changes it oneself', async () => {
  const { id } = await create('/api/companies', { name: 'Difference Works' })
  const edit = async (page: Page, label: string, value: string) => {
    const facts = page.getByRole('region', { name: 'Key facts' })
    await facts.getByRole('button', { name: `Edit ${label}` }).click()
    await facts.getByRole('textbox', { name: label }).fill(value)
    await page.keyboard.press('Enter')
    await facts.getByText(value).waitFor()
  }
  const mine = await signedIn(`/companies/${id}`)
  const facts = mine.getByRole('region', { name: 'Key facts' })
  await facts.getByText('Difference Works').waitFor()
  const news = facts.locator('[aria-live="polite"]')
  await edit(await signedIn(`/companies/${id}`, { as: nora }), 'Domain', 'difference.example')
  await news.getByText('Nora Field changed this just now').waitFor()
  await facts.getByText('difference.example').waitFor()
  await edit(mine, 'Email', 'works@difference.example')
  await expect.poll(() => news.innerText()).toBe('')
})

describe('editing in place', () => {
  it('keeps what others change of other fields, and shows both values of the same one', async () => {
    const { id } = await create('/api/contacts', { firstName: 'Mary', jobTitle: 'Reader' })
    const page = await signedIn(`/contacts/${id}`, { as: nora })
    const facts = page.getByRole('region', { name: 'Key facts' })
    await facts.getByRole('button', { name: 'Edit Job title' }).click()
    await facts.getByRole('textbox', { name: 'Job title' }).fill('Author')
    await call('PATCH', `/api/contacts/${id}`, { lastName: 'Somerville' })
    await page.keyboard.press('Enter')
    await facts.getByRole('button', { name: 'Edit Job title' }).waitFor()
    await page.getByRole('heading', { name: 'Mary Somerville', level: 1 }).waitFor()
    await facts.getByText('Author').waitFor()

    await facts.getByRole('button', { name: 'Edit Job title' }).click()
    await facts.getByRole('textbox', { name: 'Job title' }).fill('Astronomer')
    await call('PATCH', `/api/contacts/${id}`, { jobTitle: 'Mathematician' })
    await page.keyboard.press('Enter')
    await facts.getByRole('alert').getByText('Mathematician').waitFor()
    await facts.getByRole('button', { name: 'Save mine' }).click()
    await facts.getByText('Astronomer').waitFor()
    expect(await call('GET', `/api/contacts/${id}`)).toMatchObject({
      data: { lastName: 'Somerville', jobTitle: 'Astronomer' },
    })
  })

  it('leaves a field by Esc as it was, and shows at the field why a value is refused', async () => {
    const { id } = await create('/api/companies', { name: 'Looms', domain: 'looms.example' })
    const page = await signedIn(`/companies/${id}`)
    const facts = page.getByRole('region', { name: 'Key facts' })
    await facts.getByRole('button', { name: 'Edit Domain' }).click()
    await facts.getByRole('textbox', { name: 'Domain' }).fill('no domain')
    await page.keyboard.press('Enter')
    await facts.getByText('Enter a domain, such as example.com.').waitFor()
    await page.keyboard.press('Escape')
    await facts.getByText('looms.example').waitFor()
  })

  it('offers nothing to who may only read', async () => {
    const { id } = await create('/api/companies', { name: 'Looms' })
    const reader = await workspace.employee({ roles: ['Read only'] })
    const page = await signedIn(`/companies/${id}`, { as: reader })
    await page.getByRole('region', { name: 'Key facts' }).getByText('Looms').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Edit / }).count()).toBe(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  })
})

describe('in dark', () => {
  it('keeps nobody out of forms and pages of records', async () => {
    const grace = { firstName: 'Grace', email: 'grace@example.com', tags: ['navy'], description: 'Wrote compilers' }
    const { id } = await create('/api/contacts', grace)
    const page = await signedIn(`/contacts/${id}`, { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Edit Job title' }).click()
    await page.getByRole('textbox', { name: 'Job title' }).waitFor()
    expect(await allBarriers(page)).toEqual([])
    await go(page, '/leads')
    await page.getByRole('button', { name: 'New lead' }).click()
    await page.getByRole('button', { name: 'More fields' }).click()
    await page.getByRole('button', { name: 'Create lead', exact: true }).click()
    await page.getByText('Region is required.').waitFor()
    expect(await allBarriers(page)).toEqual([])
    await create('/api/leads', { lastName: 'Twin dark', customFields: { region: 'n' } })
    await page.getByRole('textbox', { name: 'Last name' }).fill('Twin dark')
    await page.getByRole('region', { name: 'This may already exist' }).waitFor()
    expect(await allBarriers(page)).toEqual([])
  })
})
