import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

it('a deleted record is found, restored and there again', async () => {
  const { id } = (
    (await installation.call('POST', '/api/contacts', { firstName: 'Ada', lastName: 'King' })) as {
      data: { id: string }
    }
  ).data
  const page = await signedIn(`/contacts/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Contact deleted').waitFor()

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByText('Nothing of this kind was deleted in the last 30 days.').waitFor()
  await page.getByLabel('Record type').selectOption('Contacts')
  const row = page.getByRole('table', { name: 'Deleted records' }).getByRole('row', { name: /Ada King/ })
  await row.getByText('Admin').waitFor()
  await page.getByRole('searchbox', { name: 'Search the deleted records' }).fill('nobody')
  await page.getByText('No deleted items match.').waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await row.getByRole('button', { name: 'Restore Ada King' }).click()
  await page.getByText('Ada King restored').waitFor()
  await page.getByText('No deleted contacts').waitFor()

  await page.goto(`/contacts/${id}`)
  await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor()
  await page.getByRole('list', { name: 'Activity feed' }).getByText('restored this contact').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/contacts/${id}`)
})
