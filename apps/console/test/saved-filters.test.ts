import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const { call, ...installation } = await startInstallation()
const { signedIn } = await openPages({ call, ...installation })

await call('POST', '/api/leads', { lastName: 'Hot one', temperature: 'HOT' })
await call('POST', '/api/leads', { lastName: 'Cold one', temperature: 'COLD' })

const save = async (body: object) =>
  ((await call('POST', '/api/saved-filters', body)) as { data: { id: string } }).data.id

it('a filter that was saved by parameters is a view with conditions, exported as it is and deleted', async () => {
  const query = { createdFrom: '2000-01-01', temperature: 'HOT' }
  const id = await save({ name: 'From the fair', entityType: 'LEAD', query })
  const page = await signedIn('/leads')
  await page.getByText('2 leads', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'From the fair' }).click()
  await page.getByText('1 lead found').waitFor()
  await page.getByRole('list', { name: 'Filters' }).getByText('Temperature is Hot').waitFor()
  expect(new URL(page.url()).search).toBe(`?view=${id}`)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog', { name: 'Export' }).getByText('1 record exported').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Manage views' }).click()
  await page.getByRole('button', { name: 'Delete From the fair' }).click()
  await page.getByText('No saved views yet').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('tab', { name: 'From the fair' }).click()
  await page.getByRole('list', { name: 'Filters' }).getByText('Temperature is Hot').waitFor()
  await page.getByRole('tab', { name: 'All' }).click()
  await page.getByText('2 leads', { exact: true }).waitFor()
})

it('an address with a view that is gone shows everything, and says so', async () => {
  const page = await signedIn('/leads?savedFilterId=01890000-0000-7000-8000-000000000000')
  await page.getByRole('alert').getByText('This view no longer exists').waitFor()
  await page.getByText('2 leads', { exact: true }).waitFor()
})
