import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string } }).data
const me = workspace.adminUserId

const dayMs = 86_400_000
const dueIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
const { id: dealId } = await create('/api/deals', { name: 'Lighthouse', amount: '1500' })
const { id: caredFor } = await create('/api/deals', { name: 'Harbour', amount: '2500' })
await create('/api/tasks', {
  title: 'Call the harbour',
  assigneeId: me,
  dueAt: dueIn(-1),
  links: [{ entityType: 'DEAL', entityId: caredFor }],
})
await create('/api/tasks', { title: 'Order tiles', assigneeId: me, dueAt: dueIn(3) })
await create('/api/tasks', { title: 'Next year', assigneeId: me, dueAt: dueIn(300) })

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

it('says what is due, what is stuck, and what it is about', async () => {
  const page = await signedIn('/')
  const tasks = region(page, 'My tasks')
  await tasks.getByRole('list', { name: 'Overdue' }).getByRole('link', { name: 'Call the harbour' }).waitFor()
  await tasks.getByRole('list', { name: 'Next 7 days' }).getByRole('link', { name: 'Order tiles' }).waitFor()
  await expect.poll(() => tasks.getByText('Next year').count()).toBe(0)
  const stuck = region(page, 'Needs attention').getByRole('listitem')
  await stuck.filter({ hasText: 'Lighthouse' }).getByText('No next step').waitFor()
  await expect.poll(() => stuck.filter({ hasText: 'Harbour' }).count()).toBe(0)
  await region(page, 'Pipeline').getByText('2 · €4,000').waitFor()
  await region(page, 'Activity').getByRole('link', { name: 'Lighthouse' }).first().waitFor()
})

it('asks the service at most eight times, also where a batch is refused at first', async () => {
  const page = await signedIn('/')
  // Changes of other tests would have the page ask again.
  await page.route('**/api/events/stream', (route) => route.abort())
  await region(page, 'Activity').getByRole('link', { name: 'Lighthouse' }).first().waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && request.resourceType() !== 'eventsource') asked.push(pathname)
  })
  await page.reload()
  await region(page, 'My tasks').getByRole('link', { name: 'Call the harbour' }).waitFor()
  await region(page, 'Pipeline').getByText('2 · €4,000').waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked).toContain('/api/batch')
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(8)
  await page.route('**/api/batch', async (route) => route.fulfill({ status: 503, json: { error: 'Busy' } }), {
    times: 1,
  })
  await page.reload()
  await region(page, 'Activity').getByRole('link', { name: 'Lighthouse' }).first().waitFor()
})

it('leads to what it names, remembers it, and lets a task be ticked', async () => {
  await create('/api/tasks', { title: 'Tick me', assigneeId: me, dueAt: dueIn(2) })
  const page = await signedIn('/')
  await region(page, 'Needs attention').getByRole('link', { name: 'Lighthouse' }).click()
  await page.getByRole('heading', { name: 'Lighthouse', level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/deals/${dealId}`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await region(page, 'Recently viewed').getByRole('link', { name: 'Lighthouse' }).waitFor()
  await page.getByRole('checkbox', { name: 'Complete Tick me' }).click()
  await region(page, 'My tasks').getByRole('link', { name: 'Tick me' }).waitFor({ state: 'detached' })
})

it('says what today brings', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await installation.inSettings('POST', '/api/calendar/events', { title: 'Stand-up', startAt: at(0), endAt: at(15) })
  await create('/api/activities', { type: 'CALL', subject: 'Ring the keeper', status: 'PLANNED', startAt: at(0) })
  const page = await signedIn('/')
  const today = region(page, 'Today').getByRole('list', { name: 'Today' })
  await today.getByText('Stand-up').waitFor()
  await today.getByRole('link', { name: 'Ring the keeper' }).click()
  await page.getByRole('heading', { name: 'Ring the keeper', level: 1 }).waitFor()
})

it('begins with the steps of a new workspace, and its name, language, zone and currency', async () => {
  const page = await signedIn('/')
  const started = region(page, 'Get started')
  await started
    .getByRole('listitem')
    .filter({ hasText: 'Add your first lead' })
    .getByRole('img', { name: 'To do' })
    .waitFor()
  await expect.poll(() => started.getByRole('listitem').count()).toBe(5)
  await started.getByRole('link', { name: 'Set up your workspace' }).click()
  await page.getByLabel('Workspace name').fill('Lighthouse keepers')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.click()
  await zone.fill('tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  // The service knows which currencies exist; one that the workspace does not use yet is added.
  const currency = page.getByRole('combobox', { name: 'Currency' })
  await currency.click()
  await currency.fill('XCG')
  await page.getByRole('option', { name: 'XCG' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('complementary').getByText('Lighthouse keepers').waitFor()
  expect(await call('GET', '/api/me')).toMatchObject({
    workspace: { name: 'Lighthouse keepers', timezone: 'Asia/Tokyo' },
  })
  expect(((await call('GET', '/api/currencies')) as { data: object[] }).data).toContainEqual(
    expect.objectContaining({ code: 'XCG', isActive: true }),
  )
  await region(page, 'Get started').getByRole('button', { name: 'Dismiss' }).click()
  await region(page, 'Get started').waitFor({ state: 'detached' })
  await page.reload()
  await region(page, 'Pipeline').waitFor()
  await expect.poll(() => region(page, 'Get started').count()).toBe(0)
})

it('shows each currency where the workspace lacks an exchange rate', async () => {
  const { id } = await create('/api/deals', { name: 'Overseas', amount: '700', currency: 'JPY' })
  const page = await signedIn('/')
  await region(page, 'Pipeline').getByText('3 · €4,000 + ¥700').waitFor()
  await call('DELETE', `/api/deals/${id}`)
})

it('shows nothing of what a person may not see', async () => {
  const stranger = await workspace.employee({ grant: { permissions: ['VIEW_CONTACT'] } })
  const page = await signedIn('/', { as: stranger })
  await region(page, 'Recently viewed').waitFor()
  for (const name of ['My tasks', 'Needs attention', 'Pipeline'])
    await expect.poll(() => region(page, name).count()).toBe(0)
})
