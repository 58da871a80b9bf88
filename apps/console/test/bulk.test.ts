import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call, inSettings } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string } }).data
const nora = await workspace.employee({ roles: ['Administrator'] })
await inSettings('PATCH', `/api/settings/users/${nora.id}`, { firstName: 'Nora', lastName: 'Field' })

const sizes = [
  ['1440 px', { width: 1440, height: 900 }],
  ['390 px', { width: 390, height: 844 }],
] as const

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Bulk actions' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const select = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select row ${title}` }).check()
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

async function ownersOf(ids: readonly string[]): Promise<unknown[]> {
  const answers = await Promise.all(ids.map((id) => call('GET', `/api/leads/${id}?fields=ownerId`)))
  return answers.map((answer) => (answer as { data: { ownerId: string } }).data.ownerId)
}

it.each(sizes)('at %s records change hands together, and back', async (_size, viewport) => {
  const word = `hands${viewport.width}`
  const names = ['Ada', 'Grace', 'Mary']
  const leads = await Promise.all(names.map((firstName) => create('/api/leads', { firstName, companyName: word })))
  const ids = leads.map(({ id }) => id)
  const before = await ownersOf(ids)
  const page = await signedIn(`/leads?search=${word}`, { viewport })
  await select(page, 'Ada')
  await select(page, 'Mary')
  await bar(page).getByText('2 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Change owner' }).click()
  // The choices are seen to the end of the last, although the dialog is lower than they are.
  const last = dialog(page, 'Change owner').getByRole('option').last()
  await expect
    .poll(() =>
      last.evaluate((option) => {
        const { x, y, width, height } = option.getBoundingClientRect()
        return option.contains(option.ownerDocument.elementFromPoint(x + width / 2, y + height - 2))
      }),
    )
    .toBe(true)
  await dialog(page, 'Change owner')
    .getByText(/^Now: \S.* \(2\)$/)
    .waitFor()
  await dialog(page, 'Change owner').getByRole('combobox', { name: 'Owner' }).fill('Nora')
  await page.getByRole('option', { name: 'Nora Field' }).click()
  await dialog(page, 'Change owner').getByText('2 leads will change').waitFor()
  expect(await ownersOf(ids)).toEqual(before)
  await dialog(page, 'Change owner').getByRole('button', { name: 'Change 2 leads' }).click()
  await said(page, '2 leads changed')
  const changed = await ownersOf(ids)
  expect(changed.filter((owner) => owner === nora.id)).toHaveLength(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await said(page, '2 leads restored')
  expect(await ownersOf(ids)).toEqual(before)
})

it('everything that a list finds is tagged, beyond the rows that were read', async () => {
  const word = 'tagged'
  await Promise.all(
    Array.from({ length: 55 }, (_, at) => create('/api/contacts', { firstName: `No ${at}`, lastName: word })),
  )
  const page = await signedIn(`/contacts?search=${word}`)
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await bar(page).getByText('50 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Select all 55 contacts' }).click()
  await bar(page).getByRole('button', { name: 'Add tags' }).click()
  await dialog(page, 'Add tags').getByRole('combobox', { name: 'Tags' }).fill('fair')
  await page.keyboard.press('Enter')
  await dialog(page, 'Add tags').getByText('55 contacts will change').waitFor()
  await dialog(page, 'Add tags').getByRole('button', { name: 'Change 55 contacts' }).click()
  await said(page, '55 contacts changed')
  expect(await call('GET', `/api/contacts?search=${word}&tag=fair`)).toMatchObject({ total: 55 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await said(page, '55 contacts restored')
  expect(await call('GET', `/api/contacts?search=${word}&tag=fair`)).toMatchObject({ total: 0 })
})

it('deals are deleted together, and come back', async () => {
  const word = 'gone'
  await Promise.all(['one', 'two'].map((name) => create('/api/deals', { name: `${name} ${word}` })))
  const page = await signedIn(`/deals?view=list&search=${word}`)
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await dialog(page, 'Delete').getByText('2 deals will be deleted').waitFor()
  await dialog(page, 'Delete').getByRole('button', { name: 'Delete 2 deals' }).click()
  await said(page, '2 deals deleted')
  await page.getByText('No deals match').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: `one ${word}` }).waitFor()
  expect(await call('GET', `/api/deals?search=${word}`)).toMatchObject({ total: 2 })
})

it('a range is chosen with the shift key, kept over pages, and ended by another search', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, at) => create('/api/companies', { name: `Range ${at}` })))
  const page = await signedIn('/companies?search=range&sortBy=name&sortOrder=asc')
  await select(page, 'Range 1')
  await page.getByRole('checkbox', { name: 'Select row Range 3' }).click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Edit field' }).click()
  await dialog(page, 'Edit field').getByRole('combobox', { name: 'Field' }).fill('Size')
  await page.getByRole('option', { name: 'Size', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('range 1')
  await bar(page).waitFor({ state: 'detached' })
})

it('chosen records get an email each, by the name of each, and are still chosen on the way back', async () => {
  for (const [firstName, email] of [
    ['Uma', 'uma@bulk.test'],
    ['Vito', 'vito@bulk.test'],
    ['Wim', ''],
  ])
    await create('/api/contacts', { firstName, lastName: 'Mailing', ...(email ? { email } : {}) })
  const page = await signedIn('/contacts?search=mailing')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await page.getByRole('link', { name: 'Wim Mailing' }).click()
  await page.getByRole('heading', { name: 'Wim Mailing', level: 1 }).waitFor()
  await page.goBack()
  await bar(page).getByText('3 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Email' }).click()
  const writing = dialog(page, 'Email')
  await writing.getByText('1 has no email address').waitFor()
  await writing.getByRole('textbox', { name: 'Subject' }).fill('The fair')
  await writing.getByRole('textbox', { name: 'Message' }).fill('Dear ')
  await writing.getByRole('button', { name: 'Insert first name' }).click()
  await page.keyboard.type(', come by.')
  expect(await allBarriers(page)).toEqual([])
  await writing.getByRole('button', { name: 'Send 2 emails' }).click()
  await said(page, '2 emails sent')
  await bar(page).waitFor({ state: 'detached' })
  const { items } = (await call('GET', '/api/activities?type=EMAIL&search=fair')) as { items: readonly object[] }
  expect(items).toHaveLength(2)
  expect(items).toContainEqual(expect.objectContaining({ subject: 'The fair', body: 'Dear Uma, come by.' }))
})

it('chosen records are exported, and lose tags together', async () => {
  const made = ['Red', 'Green', 'Blue'].map((name) =>
    create('/api/companies', { name: `${name} paint`, tags: ['old'] }),
  )
  await Promise.all(made)
  const page = await signedIn('/companies?search=paint')
  await select(page, 'Red paint')
  await select(page, 'Blue paint')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  await dialog(page, 'Export').getByText('2 records exported').waitFor()
  await page.keyboard.press('Escape')
  await bar(page).getByRole('button', { name: 'Remove tags' }).click()
  await dialog(page, 'Remove tags').getByRole('combobox', { name: 'Tags' }).fill('old')
  await page.keyboard.press('Enter')
  await dialog(page, 'Remove tags').getByRole('button', { name: 'Change 2 companies' }).click()
  await said(page, '2 companies changed')
  expect(await call('GET', '/api/companies?search=paint&tag=old')).toMatchObject({ total: 1 })
})

it('more than five hundred records are changed with their progress shown, and come back', async () => {
  await installation.crm('db', 'generate', '--workspace', workspace.slug, '--leads', '520')
  const { total } = (await call('GET', '/api/leads?pageSize=1')) as { total: number }
  const page = await signedIn('/leads')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await bar(page)
    .getByRole('button', { name: `Select all ${total} leads` })
    .click()
  await bar(page).getByRole('button', { name: 'Add tags' }).click()
  await dialog(page, 'Add tags').getByRole('combobox', { name: 'Tags' }).fill('all')
  await page.keyboard.press('Enter')
  await dialog(page, 'Add tags').getByText(`${total} leads will change`).waitFor()
  await dialog(page, 'Add tags')
    .getByRole('button', { name: `Change ${total} leads` })
    .click()
  await page.getByRole('progressbar', { name: 'Changing leads' }).waitFor()
  await said(page, `${total} leads changed`)
  expect(await call('GET', '/api/leads?tag=all&pageSize=1')).toMatchObject({ total })
  await page.getByRole('button', { name: 'Undo' }).click()
  await said(page, `${total} leads restored`)
  expect(await call('GET', '/api/leads?tag=all&pageSize=1')).toMatchObject({ total: 0 })
})

it('nothing can be chosen by who may change nothing', async () => {
  await create('/api/companies', { name: 'Seen by all' })
  const reader = await workspace.employee({ roles: ['Read only'] })
  const page = await signedIn('/companies', { as: reader })
  await page.getByRole('link', { name: 'Seen by all' }).waitFor()
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
})

it('keeps nobody out in dark', async () => {
  await create('/api/companies', { name: 'Loom dark' })
  const page = await signedIn('/companies?search=loom', { colorScheme: 'dark' })
  await select(page, 'Loom dark')
  await bar(page).waitFor()
  expect(await allBarriers(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Change owner' }).click()
  await dialog(page, 'Change owner').getByRole('combobox', { name: 'Owner' }).waitFor()
  expect(await allBarriers(page)).toEqual([])
})
