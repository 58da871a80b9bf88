import { testPassword } from '@crm/testkit'
import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const twoHoursAgo = () => new Date(Date.now() - 2 * 3_600_000)

it('asks people who signed in a while ago to confirm a change, and makes it then', async () => {
  const page = await signedIn('/settings/api-keys', { since: twoHoursAgo() })
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Website')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const create = dialog.getByRole('button', { name: 'Create key' })

  await create.click()
  expect(await allBarriers(page)).toEqual([])
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByText('Nothing was changed').waitFor()

  await create.click()
  const password = proof.getByLabel('Password', { exact: true })
  await password.fill('not this one')
  await page.keyboard.press('Enter')
  await proof.getByText('The password is wrong').waitFor()
  await password.fill(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'The key Website' }).waitFor()
})
