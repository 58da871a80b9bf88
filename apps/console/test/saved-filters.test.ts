import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

await installation.call('POST', '/api/leads', { lastName: 'Hot one', temperature: 'HOT', utmSource: 'fair' })
await installation.call('POST', '/api/leads', { lastName: 'Cold one', temperature: 'COLD' })
await installation.call('POST', '/api/deals', { name: 'Windmill', amount: '10' })
await installation.call('POST', '/api/deals', { name: 'Lighthouse', amount: '20' })

const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const filters = (page: Page) => page.getByRole('button', { name: 'Saved filters' })

async function save(page: Page, name: string, whose = 'Only me'): Promise<void> {
  await page.getByRole('menuitem', { name: 'Save this filter…' }).click()
  const form = page.getByRole('form', { name: 'Save this filter' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Who can use it').selectOption(whose)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The filter was saved').waitFor()
}

it('a filter of leads is saved, applied, left and deleted', async () => {
  const page = await signedIn('/leads')
  await filters(page).click()
  await page.getByText('No filter is saved yet').waitFor()
  await expect.poll(() => page.getByRole('menuitem', { name: 'Save this filter…' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByLabel('Temperature').selectOption('HOT')
  await page.getByText('1 lead found').waitFor()
  await filters(page).click()
  await save(page, 'Hot leads', 'Everybody')
  await page.getByRole('button', { name: 'Hot leads' }).click()
  await page.getByRole('menuitem', { name: 'Show everything again' }).click()
  await page.getByText('2 leads', { exact: true }).waitFor()
  await filters(page).click()
  await page.getByRole('menuitem', { name: 'Hot leads' }).click()
  await page.getByText('1 lead found').waitFor()
  expect(queryOf(page)).toEqual({ temperature: 'HOT' })

  await page.getByRole('button', { name: 'Hot leads' }).click()
  await page.getByRole('menuitem', { name: 'Manage saved filters…' }).click()
  await page
    .getByRole('table', { name: 'Saved filters' })
    .getByRole('row', { name: /Hot leads.*Everybody/ })
    .getByRole('button', { name: 'Delete Hot leads' })
    .click()
  await page.getByText('No filter is saved', { exact: true }).waitFor()
})

it('a filter that asks for more than the page shows is applied by its id, and exported as it is', async () => {
  const query = { createdFrom: '2000-01-01', search: 'hot' }
  const { data } = (await installation.call('POST', '/api/saved-filters', {
    name: 'From the fair',
    entityType: 'LEAD',
    query,
  })) as { data: { id: string } }
  const page = await signedIn('/leads')
  await filters(page).click()
  await page.getByRole('menuitem', { name: 'From the fair' }).click()
  await page.getByText('1 lead found').waitFor()
  expect(queryOf(page)).toEqual({ savedFilterId: data.id })
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog', { name: 'Export' }).getByText('1 record exported').waitFor()
})

it.each(['contacts', 'companies'])('the list of %s has its own filters', async (list) => {
  await installation.call('POST', `/api/${list}`, list === 'contacts' ? { lastName: 'Ada' } : { name: 'Ada' })
  const page = await signedIn(`/${list}?search=ada`)
  await page.getByText('found').waitFor()
  await filters(page).click()
  await save(page, 'Like Ada')
  await page.goto(`/${list}`)
  await filters(page).click()
  await page.getByRole('menuitem', { name: 'Like Ada' }).click()
  await page.getByText('found').waitFor()
  expect(queryOf(page)).toEqual({ search: 'ada' })
})

it('a filter of deals keeps whether they stood on the board', async () => {
  const page = await signedIn('/deals?search=wind')
  await page.getByRole('link', { name: 'Windmill' }).waitFor()
  await filters(page).click()
  await save(page, 'Wind on the board')
  await page.goto('/deals?view=list&status=OPEN&sort=amount:desc')
  await filters(page).click()
  await save(page, 'Open by amount')
  await page.getByRole('button', { name: 'Open by amount' }).click()
  await page.getByRole('menuitem', { name: 'Wind on the board' }).click()
  await page.getByRole('button', { name: 'Show as list' }).waitFor()
  expect(queryOf(page)).toEqual({ search: 'wind' })
  await page.getByRole('button', { name: 'Wind on the board' }).click()
  await page.getByRole('menuitem', { name: 'Open by amount' }).click()
  await page.getByRole('table', { name: 'Deals' }).waitFor()
  expect(queryOf(page)).toEqual({ view: 'list', status: 'OPEN', sort: 'amount:desc' })
})
