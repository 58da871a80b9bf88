import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, openTab, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: object) => ((await call('POST', path, body)) as { data: { id: string } }).data
const nameOf = async (id: string) =>
  ((await call('GET', `/api/employees/${id}`)) as { data: { name: string } }).data.name
const colleague = await workspace.employee({ roles: ['Manager'] })
const colleagueName = await nameOf(colleague.id)
const longName = 'Ф'.repeat(190)

const entries = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
const inboxLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

it('brings a mention to a colleague, who opens the record from it', async () => {
  const { id } = await create('/api/leads', { lastName: 'Lovelace' })
  const page = await signedIn(`/leads/${id}`)
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.click()
  await page.keyboard.type(`Please ask @${colleagueName.slice(0, 5)}`)
  await page.getByRole('option', { name: colleagueName, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('about it')
  await expect.poll(() => note.inputValue()).toBe(`Please ask @${colleagueName} about it`)
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect.poll(() => note.inputValue()).toBe('')
  const theirs = await signedIn('/', { as: colleague })
  await inboxLink(theirs, 'Inbox, 1 unread').click()
  const entry = entries(theirs).filter({ hasText: 'Ada Admin mentioned you in a note' })
  await entry.getByText(`Please ask @${colleagueName} about it`).waitFor()
  await entry.getByRole('link').click()
  await theirs.getByRole('heading', { name: 'Lovelace', level: 1 }).waitFor()
  await inboxLink(theirs, 'Inbox').waitFor()
})

it('says who does not see the record, and so learns nothing of a mention', async () => {
  const access = [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' } as const]
  const outsider = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'], access } })
  const outsiderName = await nameOf(outsider.id)
  const { id } = await create('/api/leads', { lastName: 'Turing' })
  const page = await signedIn(`/leads/${id}`)
  const note = page.getByRole('textbox', { name: 'Note' })
  const mention = async (name: string) => {
    await note.click()
    await page.keyboard.type(`@${name}`)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await mention(colleagueName)
  await mention(outsiderName)
  const hint = page.getByRole('form', { name: 'New note' }).getByRole('status')
  await expect.poll(() => hint.textContent()).toBe(`No access to this record, so no notification: ${outsiderName}`)
  await note.fill(`@${colleagueName}`)
  await hint.waitFor({ state: 'detached' })
})

it('tells a follower of what a colleague writes, and nothing any more after that', async () => {
  const { id } = await create('/api/leads', { lastName: 'Hopper' })
  const page = await signedIn(`/leads/${id}`, { as: colleague })
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
  const note = (body: string) => call('POST', '/api/crm/comments', { entityType: 'LEAD', entityId: id, body })
  await note('The first of two')
  await note('The second of two')
  await inboxLink(page, 'Inbox, 1 unread').click()
  const entry = entries(page).filter({ hasText: 'Ada Admin changed something that you follow' })
  await entry.getByRole('link').click()
  await page.getByRole('heading', { name: 'Hopper', level: 1 }).waitFor()
  await inboxLink(page, 'Inbox').waitFor()
  await page.getByRole('button', { name: 'Following', exact: true }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
})

it('puts off, finishes and undoes by keyboard alone, whatever the name', async () => {
  const reader = await workspace.employee({ roles: ['Member'] })
  await create('/api/leads', { lastName: longName, ownerId: reader.id })
  await create('/api/leads', { lastName: 'مرحبا بالعالم', ownerId: reader.id })
  const page = await signedIn('/inbox', { as: reader, viewport: { width: 390, height: 844 } })
  const open = entries(page)
  await expect.poll(() => open.count()).toBe(2)
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  await open
    .filter({ hasText: longName })
    .getByRole('button', { name: /^Snooze/ })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => open.count()).toBe(1)
  await open.getByRole('button', { name: /^Done/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('You are all caught up').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => open.count()).toBe(1)
  await openTab(page, 'Snoozed')
  await open.getByText(/^Until /).waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'Inbox', selected: true }).waitFor()
})

it('saves how each kind comes', async () => {
  const reader = await workspace.employee({ roles: ['Member'] })
  const page = await signedIn('/settings/notifications', { as: reader })
  const choice = page.getByRole('radio', { name: 'Someone mentions you: Digest' })
  await choice.click()
  await page.getByText('Notifications saved').waitFor()
  await page.reload()
  await expect.poll(() => choice.isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'A task of yours is due: Off' }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'A task of yours is due: Off' }).isChecked()).toBe(true)
  await expect.poll(() => choice.isChecked()).toBe(true)
})

it('takes a person whose session ended to the sign-in and back', async () => {
  const page = await signedIn('/inbox')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await page.context().clearCookies()
  await openTab(page, 'Done')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('next')).toBe('/inbox?tab=done')
})

it('keeps nobody out in dark', async () => {
  const page = await signedIn('/inbox', { as: colleague, colorScheme: 'dark' })
  await entries(page).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await allBarriers(page)).toEqual([])
})
