import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { barriersInBothThemes } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { go, openPages, type Page, type Pages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

async function openSettings(path: string, title: string, options?: Parameters<Pages['signedIn']>[1]): Promise<Page> {
  const page = await signedIn(path, options)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return page
}

interface Items {
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

describe('pipelines', () => {
  it('gives a pipeline a stage, moves it up, and moves the leads of a stage that goes', async () => {
    const own = await startInstallation()
    const { items } = (await own.call('GET', '/api/pipelines?entityType=LEAD')) as {
      items: { id: string; stages: { id: string; name: string }[] }[]
    }
    const first = items[0]?.stages[0]
    await own.call('POST', '/api/leads', { lastName: 'Waiting', stageId: first?.id })
    const page = await openSettings('/settings/pipelines', 'Pipelines', { at: own })
    await page.getByRole('button', { name: 'New stage of Sales leads' }).click()
    await page.getByRole('form').getByLabel('Name').fill('Visited')
    await page.getByLabel('Status of its leads').selectOption('IN_PROGRESS')
    await page.getByRole('button', { name: 'Save' }).click()
    const stages = page.getByRole('table', { name: 'Stages of Sales leads' })
    await stages.getByText('Visited').waitFor()
    // An open stage comes before the ones in which records end.
    await expect.poll(() => stages.locator('tbody tr').nth(3).textContent()).toContain('Visited')
    await page.getByRole('button', { name: 'Move Visited up' }).click()
    await expect.poll(() => stages.locator('tbody tr').nth(2).textContent()).toContain('Visited')

    await page.getByRole('button', { name: 'Delete New', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Move its deals to').selectOption({ label: 'Visited' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Stage deleted').waitFor()
    expect(await own.call('GET', '/api/leads?search=waiting')).toMatchObject({
      items: [{ status: 'IN_PROGRESS' }],
    })
  })
})

describe('people', () => {
  it('are asked after before they leave: who takes over, what stops, and everything comes back by one undo', async () => {
    const own = await startInstallation()
    const department = await own.workspace.department('Field sales')
    const { id: sam } = await own.workspace.employee({ departmentId: department })
    const { id: maria } = await own.workspace.employee({ departmentId: department })
    for (const [id, firstName] of [
      [sam, 'Sam'],
      [maria, 'Maria'],
    ] as const)
      await own.inSettings('PATCH', `/api/settings/users/${id}`, { firstName, lastName: 'Sales' })
    await own.workspace.apiKey({ ownerId: sam })
    for (const lastName of ['One', 'Two', 'Three']) await own.call('POST', '/api/contacts', { lastName, ownerId: sam })
    await own.call('POST', '/api/deals', { name: 'Open', ownerId: sam })
    await own.call('POST', '/api/deals', { name: 'Won', ownerId: sam, status: 'WON' })
    const page = await openSettings('/settings/people', 'People', { at: own })
    await page.getByRole('button', { name: 'Edit Sam Sales' }).click()
    await page.getByRole('form').getByLabel('Status').selectOption('Terminated')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'What belongs to Sam Sales' })
    await dialog.getByText('3 contacts').waitFor()
    await dialog.getByText('1 deal', { exact: true }).waitFor()
    await dialog.getByText('Stops working without Sam Sales: 1 API key').waitFor()
    await dialog.getByRole('radio', { name: 'The active people of Field sales, in turn' }).check()
    await dialog.getByRole('radio', { name: 'One person' }).check()
    await dialog.getByRole('combobox', { name: 'Takes over' }).click()
    await page.getByRole('option', { name: 'Maria Sales' }).click()
    await dialog.getByRole('button', { name: 'Hand over and terminate' }).click()
    const ownedBy = async (id: string) =>
      ((await own.call('GET', `/api/contacts?ownerId=${id}`)) as { total: number }).total
    await page.getByText('Handed over').waitFor()
    expect([await ownedBy(sam), await ownedBy(maria)]).toEqual([0, 3])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect([await ownedBy(sam), await ownedBy(maria)]).toEqual([3, 0])

    // Whoever has left is still named where lists are filtered.
    await go(page, '/contacts')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await page.getByRole('option', { name: 'Owner' }).click()
    await page.getByRole('option', { name: 'Sam Sales (left)' }).click()
    await page.getByText('Owner is Sam Sales (left)').waitFor()
    await filter.getByRole('button', { name: 'Apply' }).click()
    await filter.waitFor({ state: 'detached' })
  })

  it('adds somebody to a department with a role of their own, who then sees what the role gives', async () => {
    const page = await openSettings('/settings/departments', 'Departments')
    await page.getByRole('button', { name: 'New department' }).click()
    await page.getByRole('form').getByLabel('Name').fill('Sales')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Departments' }).getByText('Sales').waitFor()

    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByRole('form').getByLabel('Name').fill('Scout')
    const permissions = page.getByRole('table', { name: 'Permissions' })
    await permissions.getByRole('combobox', { name: 'Leads: See' }).selectOption('Own department')
    await page.getByText('Sees the own department’s leads.').waitFor()
    await permissions.getByRole('combobox', { name: 'Leads: See' }).selectOption('Own')
    await page.getByText('Sees only own leads.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Roles' }).getByText('Scout').waitFor()

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'New account' }).click()
    const form = page.getByRole('form', { name: 'New account' })
    await form.getByLabel('First name').fill('Grace')
    await form.getByLabel('Email').fill(installation.workspace.adminEmail)
    await form.getByLabel('Password', { exact: true }).fill('a long password')
    await form.getByLabel('Department').selectOption({ label: 'Sales' })
    await form.getByRole('checkbox', { name: 'Scout' }).check()
    await form.getByRole('button', { name: 'Create account' }).click()
    await form.getByText('This email is already in use.').waitFor()
    await form.getByLabel('Email').fill('grace@console.test')
    await form.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('row', { name: /Grace.*Scout.*Sales/ }).waitFor()

    const { items } = (await installation.call('GET', '/api/employees?search=grace')) as Items
    expect(items).toMatchObject([{ email: 'grace@console.test', name: 'Grace' }])
    await installation.call('POST', '/api/leads', { lastName: 'Hers', ownerId: items[0]?.['id'] })
    await page.getByRole('link', { name: 'Back to app' }).click()
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByRole('row', { name: /Hers.*Grace/ }).waitFor()
  })

  it('gives somebody a new password, which ends their API keys unless the form says otherwise', async () => {
    const { workspace, address } = installation
    const people = [
      await workspace.employee({ email: 'kept@console.test' }),
      await workspace.employee({ email: 'ended@console.test' }),
    ]
    const keys = await Promise.all(people.map(({ id }) => workspace.apiKey({ ownerId: id, scopes: ['VIEW_LEAD'] })))
    const statusOf = async (at: number) =>
      (await fetch(`${address}/api/leads`, { headers: { authorization: `Bearer ${keys[at]?.key}` } })).status
    const page = await openSettings('/settings/people', 'People')
    for (const email of ['kept@console.test', 'ended@console.test']) {
      await page.getByRole('row', { name: email }).getByRole('button', { name: /^Edit/ }).click()
      const form = page.getByRole('form', { name: /^Edit/ })
      await form.getByLabel('New password', { exact: true }).fill('another long password')
      if (email.startsWith('kept')) await form.getByRole('checkbox', { name: /also ends the API keys/ }).uncheck()
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'detached' })
    }
    expect([await statusOf(0), await statusOf(1)]).toEqual([200, 401])
  })
})

describe('fields and lists', () => {
  it('adds a custom field with options, whose key follows its label', async () => {
    const own = await startInstallation()
    const page = await openSettings('/settings/fields', 'Fields', { at: own })
    await page.getByRole('button', { name: 'New field of leads' }).click()
    const form = page.getByRole('form', { name: 'New field of leads' })
    await form.getByLabel('Label').fill('Sales region')
    await form.getByLabel('Type').selectOption('SELECT')
    await form.getByLabel('Options').fill('eu = Europe\nAsia')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Fields of leads' }).getByText('cf_salesRegion').waitFor()
    await own.call('POST', '/api/leads', { lastName: 'Far', customFields: { salesRegion: 'eu' } })
    expect(await own.call('GET', '/api/leads?cf_salesRegion=eu')).toMatchObject({ total: 1 })

    const view = { name: 'Europe', entityType: 'LEAD', query: { cf_salesRegion: 'eu' } }
    await own.call('POST', '/api/saved-filters', view)
    // Of an option that nothing uses nobody is asked.
    const options = async (lines: string) => {
      await page.getByRole('button', { name: 'Edit Sales region' }).click()
      await page.getByLabel('Options').fill(lines)
      await page.getByRole('button', { name: 'Save' }).click()
    }
    await options('eu = Europe')
    await page.getByLabel('Options').waitFor({ state: 'detached' })
    await options('Africa')
    const removing = page.getByRole('dialog', { name: 'Remove the option?' })
    await removing.getByText('Europe').waitFor()
    await expect.poll(() => removing.getByRole('listitem').allTextContents()).toEqual(['1 record holds it', '1 view'])
    expect(await barriersInBothThemes(page)).toEqual([])
    await removing.getByRole('button', { name: 'Remove' }).click()
    await page.getByLabel('Options').waitFor({ state: 'detached' })
    expect(await own.call('GET', '/api/leads?search=Far')).toMatchObject({
      items: [{ customFields: { salesRegion: 'eu' } }],
    })

    await page.getByRole('button', { name: 'Delete Sales region' }).click()
    const question = page.getByRole('dialog')
    await expect
      .poll(() => question.getByRole('listitem').allTextContents())
      .toEqual(['1 record has a value in it', '1 view'])
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete with its values' }).click()
    await page.getByText('Field deleted').waitFor()
  })

  it('renames and deletes what records choose from; what the service uses stays', async () => {
    const page = await openSettings('/settings/tags-and-lists', 'Tags and lists')
    await page.getByRole('button', { name: 'Edit Direct' }).click()
    await page.getByRole('form').getByLabel('Name').fill('Website')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This name is taken').waitFor()
    await page.getByRole('form').getByLabel('Name').fill('Walk-in')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Walk-in/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete Walk-in' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Delete Referral' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted', { exact: true }).waitFor()
    await page.getByRole('row', { name: /Referral/ }).waitFor({ state: 'detached' })
  })
})

describe('the profile', () => {
  it('follows a person to another browser: theme, density, time format, and the zone in which times are meant', async () => {
    const as = await installation.workspace.employee({ roles: ['Administrator'] })
    const { data: lead } = (await installation.call('POST', '/api/leads', { lastName: 'Timed' })) as {
      data: { id: string }
    }
    const page = await openSettings('/settings/profile', 'Profile', { as, timezoneId: 'America/New_York' })
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Time zone', 'Asia/Tokyo')
    await choose('Time format', '14:30')
    await choose('Row height', 'Comfortable')
    await page.locator('html[data-density="comfortable"]').waitFor()
    await choose('Theme', 'Dark')
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()

    const elsewhere = await signedIn(`/leads/${lead.id}`, { as, timezoneId: 'Europe/Berlin' })
    await elsewhere.locator('html[data-density="comfortable"][data-mantine-color-scheme="dark"]').waitFor()
    await elsewhere.getByRole('tab', { name: 'Call', exact: true }).click()
    const form = elsewhere.getByRole('form', { name: 'New call or meeting' })
    await form.getByLabel('Date and time').fill('2031-03-01T14:00')
    await form.getByText('GMT+9').waitFor()
    await form.getByLabel('Subject').fill('Call Tokyo')
    await form.getByRole('button', { name: 'Log a call or meeting' }).click()
    await expect
      .poll(() => installation.call('GET', '/api/activities?search=tokyo'))
      .toMatchObject({ items: [{ startAt: '2031-03-01T05:00:00.000Z' }] })
    await elsewhere.getByRole('list', { name: 'Activity feed' }).getByRole('link', { name: 'Call Tokyo' }).click()
    await elsewhere.getByText('1 Mar 2031, 14:00 GMT+9').waitFor()
  })
})

describe('the console of one person', () => {
  it('opens with their page, shows what they pinned and unfolded in every browser, and their goal', async () => {
    const as = await installation.workspace.employee({ roles: ['Administrator'] })
    const name = `Big ones ${unique()}`
    const { data: view } = (await installation.call('POST', '/api/saved-filters', {
      name,
      entityType: 'DEAL',
      visibility: 'WORKSPACE',
      query: {},
    })) as { data: { id: string } }
    const page = await openSettings('/settings/profile', 'Profile', { as })
    await page.getByRole('textbox', { name: 'Monthly goal' }).fill('40000')
    await page.getByRole('textbox', { name: 'Monthly goal' }).press('Enter')
    await page.getByText('Goal saved').waitFor()
    await page.getByRole('combobox', { name: 'Start page' }).click()
    await page.getByRole('option', { name }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Start page' }).inputValue()).toBe(name)
    await page.getByRole('link', { name: 'Back to app' }).click()

    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('button', { name: 'Work' }).click()
    await main.getByRole('link', { name: 'Projects' }).hover()
    await main.getByRole('button', { name: 'Pin Projects' }).click()
    await main.getByRole('group', { name: 'Pinned' }).getByRole('link', { name: 'Projects' }).waitFor()
    await page.goto(new URL(`/deals?view=${view.id}`, page.url()).href)
    await page.getByRole('button', { name: 'More', exact: true }).last().click()
    await page.getByRole('menuitem', { name: 'Pin to sidebar' }).click()
    await main.getByRole('group', { name: 'Pinned' }).getByRole('link', { name }).waitFor()

    const elsewhere = await signedIn('/', { as })
    await expect.poll(() => elsewhere.url()).toContain(`/deals?view=${view.id}`)
    const pinned = elsewhere.getByRole('group', { name: 'Pinned' })
    await expect.poll(() => pinned.getByRole('link').allInnerTexts()).toEqual(['Projects', name])
    await elsewhere.getByRole('button', { name: 'Work', expanded: true }).waitFor()
    await elsewhere.getByRole('link', { name: 'Home' }).click()
    await elsewhere.getByRole('progressbar', { name: 'Your goal this month' }).waitFor()
    await elsewhere.getByText('of €40,000').waitFor()

    await pinned.getByRole('link', { name }).hover()
    await pinned.getByRole('button', { name: `Unpin ${name}` }).click()
    await expect.poll(() => pinned.getByRole('link').allInnerTexts()).toEqual(['Projects'])
  })
})

it('an administrator looks at the console with the rights of a role, and comes back', async () => {
  const page = await signedIn('/settings/roles')
  await page.getByRole('button', { name: 'View as this role Read only' }).click()
  await page.getByText('You see what the role Read only allows').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  await page.goto('/leads')
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New lead' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Stop viewing as this role' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).waitFor()
})
