import { testPassword } from '@crm/testkit'
import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { open, signedIn } = await openPages(installation)

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

it('invites people by mail; they choose a password, join, and later choose another one by a link', async () => {
  const page = await signedIn('/settings/people')
  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  const emails = dialog.getByRole('combobox', { name: 'Email addresses' })
  for (const email of ['rita@console.test', installation.workspace.adminEmail]) {
    await emails.fill(email)
    await emails.press('Enter')
  }
  await dialog.getByLabel('Role').selectOption('Member')
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await dialog.getByRole('alert').getByText(installation.workspace.adminEmail).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const row = page.getByRole('table', { name: 'Invitations' }).getByRole('row', { name: /rita@console\.test/ })
  await row.getByText('Invited', { exact: true }).waitFor()
  const first = await installation.mailedToken('rita@console.test')
  await row.getByRole('button', { name: 'Resend' }).click()
  const second = await installation.mailedToken('rita@console.test', [first])

  const rita = await open()
  await rita.goto(`/invite#${first}`)
  await rita.getByRole('alert').getByText('This link does not work').waitFor()
  await rita.goto('about:blank')
  await rita.goto(`/invite#${second}`)
  await rita.getByRole('heading', { level: 1, name: /^Join / }).waitFor()
  expect(new URL(rita.url()).hash).toBe('')
  expect(await allBarriers(rita)).toEqual([])
  await rita.getByLabel('First name').fill('Rita')
  const password = rita.getByLabel('Password', { exact: true })
  await password.fill('password12')
  await rita.getByRole('button', { name: 'Join' }).click()
  await rita.getByText('easy to guess').waitFor()
  await password.fill('quiet heron over wet slate')
  await rita.getByRole('button', { name: 'Join' }).click()
  await rita.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

  await rita.context().clearCookies()
  await rita.goto('/sign-in')
  await rita.getByRole('link', { name: 'Forgot your password?' }).click()
  await rita.getByRole('form', { name: 'Forgotten password' }).getByLabel('Email').fill('rita@console.test')
  await rita.getByRole('button', { name: 'Send link' }).click()
  await rita.getByRole('status').getByText('rita@console.test').waitFor()
  await rita.goto(`/reset#${await installation.mailedToken('rita@console.test', [first, second])}`)
  await rita.getByLabel('New password', { exact: true }).fill('seven slow boats at noon')
  await rita.getByRole('button', { name: 'Save password' }).click()
  await rita.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
})
