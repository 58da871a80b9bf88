import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { call, workspace } = installation
const { open, signIn, signedIn } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string } }).data
/** How long somebody stays on a record before others are told, and how often these are. */
const [stayMs, tellEveryMs] = [2_000, 15_000]
const listening = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/api/events/stream'))

it('shows what others change, in lists and on records, and keeps what is being typed', async () => {
  const { id } = await create('/api/leads', { firstName: 'Rita', lastName: 'Newcomer' })
  const list = await signedIn('/leads?search=Newcomer')
  await list.getByRole('link', { name: 'Rita Newcomer' }).waitFor()
  await call('PATCH', `/api/leads/${id}`, { firstName: 'Rosa' })
  await list.getByRole('link', { name: 'Rosa Newcomer' }).waitFor()
  const record = await signedIn(`/leads/${id}`)
  await record.getByRole('button', { name: 'Edit Job title' }).click()
  await record.getByRole('textbox', { name: 'Job title' }).fill('Half a wo')
  await call('PATCH', `/api/leads/${id}`, { firstName: 'Ruth' })
  await record.getByRole('heading', { name: 'Ruth Newcomer', level: 1 }).waitFor()
  await expect.poll(() => record.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe('Half a wo')
})

it('is read once for all tabs of a browser, and by another tab when that one is closed', async () => {
  const first = await open()
  const streams: string[] = []
  first.context().on('request', (request) => void (request.url().endsWith('/stream') && streams.push(request.url())))
  await signIn(first)
  await first.goto('/')
  await first.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const second = await first.context().newPage()
  await second.goto('/companies')
  await second.getByRole('heading', { name: 'Companies', level: 1 }).waitFor()
  await create('/api/companies', { name: 'From the first tab' })
  await second.getByText('From the first tab').first().waitFor()
  expect(streams).toHaveLength(1)
  const taken = listening(second)
  await first.close()
  await taken
  await create('/api/companies', { name: 'From this tab' })
  await second.getByText('From this tab').first().waitFor()
  expect(streams).toHaveLength(2)
})

it('shows who else looks at a record, until they leave it', async () => {
  const colleague = await workspace.employee({ roles: ['Manager'] })
  const { id } = await create('/api/leads', { lastName: 'Noether' })
  const here = (page: Page) => page.getByRole('img', { name: /^Also here: / })
  /** Shows the record to somebody who stays there, by a clock that the test puts forward. */
  const stay = async (as?: { readonly id: string }): Promise<Page> => {
    const page = await signedIn(`/leads/${id}`, { as, ownClock: true })
    await page.getByRole('heading', { name: 'Noether', level: 1 }).waitFor()
    const told = page.waitForResponse((answer) => answer.url().includes('/api/me/presence/LEAD/'))
    await page.clock.fastForward(stayMs)
    await told
    return page
  }
  const theirs = await stay(colleague)
  const mine = await stay()
  await here(mine).waitFor()
  await theirs.clock.fastForward(tellEveryMs)
  await here(theirs).waitFor()
  await expect.poll(() => here(theirs).getAttribute('aria-label')).toBe('Also here: Ada Admin')
  const left = theirs.waitForResponse(
    (answer) => answer.url().includes('/api/me/presence/LEAD/') && answer.request().method() === 'DELETE',
  )
  await theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies', exact: true }).click()
  await left
  await mine.clock.fastForward(tellEveryMs)
  await here(mine).waitFor({ state: 'detached' })
})
