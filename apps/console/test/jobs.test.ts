import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { go, openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string } }).data
const nora = await workspace.employee({ roles: ['Administrator'] })
await installation.inSettings('PATCH', `/api/settings/users/${nora.id}`, { firstName: 'Nora', lastName: 'Field' })
await create('/api/deals', { name: 'Lighthouse', amount: '1500' })

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const sideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('on a phone', () => {
  const viewport = { width: 390, height: 844 }
  it('an administrator finds a setting, invites somebody and limits a role; a manager reads a dashboard', async () => {
    const page = await signedIn('/', { viewport })
    const follow = async (link: string) => {
      await page.getByRole('button', { name: 'Open the navigation' }).click()
      await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click()
    }
    await title(page, 'Home')
    await follow('Settings')
    await follow('People')
    await title(page, 'People')
    await page.getByRole('button', { name: 'Invite people' }).click()
    const invitation = page.getByRole('dialog', { name: 'Invite people' })
    const email = 'guest@jobs.test'
    await invitation.getByRole('combobox', { name: 'Email addresses' }).fill(email)
    await page.keyboard.press('Enter')
    await invitation.getByRole('button', { name: 'Send invitations' }).click()
    expect(await installation.mailedToken(email)).not.toBe('')
    await invitation.waitFor({ state: 'detached' })
    expect(await sideways(page)).toBe(0)

    await follow('Roles')
    await page.getByRole('button', { name: 'New role' }).click()
    const role = page.getByRole('form', { name: 'New role' })
    await role.getByLabel('Name').fill('Scout')
    await role.getByRole('combobox', { name: 'Leads: See' }).selectOption('Own department')
    await role.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Roles' }).getByText('Scout').waitFor()
    expect(await sideways(page)).toBe(0)

    await follow('Back to app')
    await title(page, 'Home')
    await follow('Dashboards')
    const pipeline = page.getByRole('region', { name: 'Pipeline by stage' })
    await pipeline.getByRole('button', { name: 'Show as table' }).click()
    await pipeline.getByRole('table', { name: 'Pipeline by stage' }).waitFor()
    expect(await sideways(page)).toBe(0)
  })

  it('a seller works through tasks, writes an email, mentions a colleague and sees what others change', async () => {
    const colleague = await workspace.employee({ roles: ['Manager'] })
    const name = ((await call('GET', `/api/employees/${colleague.id}`)) as { data: { name: string } }).data.name
    const { id: contactId } = await create('/api/contacts', { lastName: 'Keeper', email: 'keeper@jobs.test' })
    const { id } = await create('/api/deals', { name: 'Harbour', contactId })
    const task = (title: string, values: object) =>
      create('/api/tasks', { title, assigneeId: workspace.adminUserId, ...values })
    await task('Later', { dueAt: '2099-01-01T09:00:00Z' })
    await task('Overdue', { dueAt: '2020-01-01T09:00:00Z' })
    await task('Finished', { status: 'DONE' })

    const page = await signedIn('/tasks', { viewport })
    const due = (title: string) => page.getByText(title, { exact: true }).first()
    await due('Later').waitFor()
    const [overdue, later] = await Promise.all([due('Overdue').boundingBox(), due('Later').boundingBox()])
    expect(overdue?.y).toBeLessThan(later?.y ?? 0)
    await expect.poll(() => due('Finished').count()).toBe(0)
    expect(await sideways(page)).toBe(0)

    await go(page, `/deals/${id}`)
    await page.getByRole('tab', { name: 'Activity', exact: true }).click()
    const compose = (kind: string) =>
      page.getByRole('tablist', { name: 'New activity' }).getByRole('tab', { name: kind, exact: true }).click()
    const feed = page.getByRole('list', { name: 'Activity feed' }).getByRole('listitem')
    await compose('Email')
    await expect.poll(() => page.getByRole('textbox', { name: 'To', exact: true }).inputValue()).toContain('keeper@')
    await page.getByRole('textbox', { name: 'Subject' }).fill('The harbour')
    await page.getByRole('textbox', { name: 'Message' }).fill('Dear keeper')
    await page.getByRole('button', { name: 'Send email' }).click()
    await feed.filter({ hasText: 'sent an email' }).getByRole('link', { name: 'The harbour' }).waitFor()
    expect(await sideways(page)).toBe(0)

    await compose('Note')
    await page.getByRole('textbox', { name: 'Note', exact: true }).click()
    await page.keyboard.type(`Please look @${name.slice(0, 5)}`)
    await page.getByRole('option', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Save note' }).click()
    await feed.filter({ hasText: 'Please look' }).waitFor()

    const theirs = await signedIn('/', { as: colleague, viewport })
    await theirs.getByRole('button', { name: 'Open the navigation' }).click()
    await theirs.getByRole('navigation').getByRole('link', { name: 'Inbox, 1 unread', exact: true }).click()
    await theirs.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first().getByRole('link').click()
    await title(theirs, 'Harbour')
    await call('PATCH', `/api/deals/${id}`, { name: 'Lagoon' })
    await title(theirs, 'Lagoon')
    await title(page, 'Lagoon')
  })
})

/** Where a control stands in the document, as seen from the focus. */
type Side = 'here' | 'before' | 'after' | 'nowhere'

const sideOf = (target: ReturnType<Page['locator']>) =>
  target.evaluate((element): Side => {
    const focus = element.ownerDocument.activeElement
    if (focus === element) return 'here'
    if (focus === null || focus === element.ownerDocument.body) return 'nowhere'
    return element.compareDocumentPosition(focus) & element.DOCUMENT_POSITION_FOLLOWING ? 'before' : 'after'
  })

/**
 * Presses Tab until a control has the focus, as somebody without a mouse does, and Shift Tab where the control stands before it: beyond the
 * ends of a page, the keys of a browser without a window lead nowhere. A page that has just come
 * may move the focus once; a walk that passes the control again and again without stopping there has failed.
 */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).first()
  await target.waitFor()
  let way: Side = 'nowhere'
  let turns = 0
  for (let pressed = 0; pressed < 150; pressed += 1) {
    const side = await sideOf(target)
    if (side === 'here') return
    if (way !== 'nowhere' && side !== way && ++turns > 2)
      throw new Error(`Tab passes ${name} or loses the focus: ${way}, then ${side}`)
    way = side
    await page.keyboard.press(side === 'before' ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`Tab never comes to ${name}`)
}

/** Presses the arrow of a menu until an item has the focus. */
async function arrowTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole('menuitem', { name, exact: true })
  await target.waitFor()
  for (let pressed = 0; pressed < 20; pressed += 1) {
    if ((await sideOf(target)) === 'here') return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrow never comes to ${name}`)
}

it('the jobs of a day are done by keyboard alone', async () => {
  const page = await signedIn('/')
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  const type = (text: string) => page.keyboard.type(text)
  const activate = async (role: Parameters<Page['getByRole']>[0], name: string) => {
    await tabTo(page, role, name)
    await press('Enter')
  }
  const command = async (text: string) => {
    await press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await type(text)
  }
  await title(page, 'Home')
  // The keys are listed, and lead to lists.
  await press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('g', 'd')
  await title(page, 'Deals')

  // A record is opened by its name.
  await command('lighth')
  await page.getByRole('option', { name: 'Lighthouse' }).waitFor()
  await press('Enter')
  await title(page, 'Lighthouse')

  // A lead is made by a command.
  await command('new lead')
  await page.getByRole('option', { name: 'New lead' }).waitFor()
  await press('Enter')
  await tabTo(page, 'textbox', 'Last name')
  await type('Keys')
  await press('Enter')
  await title(page, 'Keys')

  // It gets a note, a task and another owner.
  await tabTo(page, 'textbox', 'Note')
  await type('Written without a mouse')
  await press('Control+Enter')
  await page.getByRole('list', { name: 'Activity feed' }).getByText('Written without a mouse').waitFor()
  await activate('button', 'Add task')
  await type('Call them')
  await tabTo(page, 'textbox', 'Due date')
  await type('tomorrow 9')
  await press('Enter')
  await page.getByRole('link', { name: 'Call them' }).first().waitFor()
  const hasFocus = (element: ReturnType<Page['locator']>) =>
    element.evaluate((one) => one.contains(one.ownerDocument.activeElement))
  await expect.poll(() => hasFocus(page.getByRole('region', { name: 'Next step' }))).toBe(true)
  await tabTo(page, 'button', 'Edit Owner')
  await press('Enter')
  await page.getByRole('combobox', { name: 'Owner', exact: true }).waitFor()
  await type('Nora')
  await expect
    .poll(() => page.getByRole('listbox', { name: 'Owner' }).getByRole('option').first().textContent())
    .toBe('Nora Field')
  await press('Enter')
  await page.getByRole('region', { name: 'Key facts' }).getByRole('link', { name: 'Nora Field' }).waitFor()
  await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Edit Owner' }))).toBe(true)

  // It is deleted, and comes back.
  await tabTo(page, 'button', 'More actions')
  await press('Enter')
  await arrowTo(page, 'Delete')
  await press('Enter')
  await title(page, 'Leads')
  await activate('button', 'Undo')
  await title(page, 'Keys')

  // A dashboard is read as a table, and a setting is found.
  await press('g', 'b')
  await activate('button', 'Show as table')
  await page.getByRole('region', { name: 'Pipeline by stage' }).getByRole('table').waitFor()
  await press('g', 's')
  await title(page, 'Profile')
  await activate('link', 'People')
  await title(page, 'People')
  await activate('button', 'Invite people')
  await tabTo(page, 'combobox', 'Email addresses')
  await type('keys@jobs.test')
  await press('Enter')
  await activate('button', 'Send invitations')
  expect(await installation.mailedToken('keys@jobs.test')).not.toBe('')
})

it('a name that is typed faster than it is answered chooses nobody else, and the chosen one stays', async () => {
  const { id } = await create('/api/deals', { name: 'Quick', ownerId: workspace.adminUserId })
  const page = await signedIn(`/deals/${id}`)
  await page.route('**/api/employees/directory?*search=*', () => undefined)
  const facts = page.getByRole('region', { name: 'Key facts' })
  const owner = page.getByRole('combobox', { name: 'Owner', exact: true })
  const options = page.getByRole('listbox', { name: 'Owner' }).getByRole('option')
  await facts.getByRole('button', { name: 'Edit Owner' }).click()
  await options.getByText('Nora Field').waitFor()
  await owner.press('ArrowDown')
  await owner.press('Enter')
  await owner.fill('nora')
  await expect.poll(() => options.first().textContent()).toBe('Nora Field')
  await owner.press('ArrowDown')
  await owner.press('Enter')
  await facts.getByRole('link', { name: 'Nora Field' }).waitFor()
  const { data } = (await call('GET', `/api/deals/${id}`)) as { data: { ownerId: string } }
  expect(data.ownerId).toBe(nora.id)
})

it('the demo is left for data of one’s own', async () => {
  await installation.takeForDemo()
  const page = await signedIn('/')
  await title(page, 'Home')
  const open = page
    .getByRole('region', { name: 'Pipeline', exact: true })
    .getByText(/^\d+ deals?$/)
    .first()
  await expect.poll(() => open.textContent()).not.toBe('0 deals')
  await page.getByRole('button', { name: 'Start with your own data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start with your own data' })
  await dialog.getByRole('button', { name: 'Keep exploring' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start with your own data' }).click()
  await dialog.getByText('Deals', { exact: true }).waitFor()
  const remove = dialog.getByRole('button', { name: 'Remove demo data' })
  const { workspace: own } = (await call('GET', '/api/me')) as { workspace: { name: string } }
  await dialog.getByLabel('Workspace name').fill('Another one')
  await expect.poll(() => remove.isDisabled()).toBe(true)
  await dialog.getByLabel('Workspace name').fill(own.name)
  await remove.click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => call('GET', '/api/deals')).toMatchObject({ total: 0 })
  await page.getByRole('button', { name: 'Start with your own data' }).waitFor({ state: 'detached' })
  await expect.poll(() => open.textContent()).toBe('0 deals')
})
