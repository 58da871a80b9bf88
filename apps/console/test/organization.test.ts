import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

it('the company data is changed in one form, says what is wrong with it, and stays', async () => {
  const page = await signedIn('/settings/organization')
  const form = page.getByRole('form', { name: 'Company' })
  await form.getByLabel('Legal name').fill('Analytical Engines Ltd')
  await form.getByLabel('City').fill('London')
  await form.getByLabel('Color').fill('blue')
  await form.getByLabel('Bank details').fill('IBAN DE02 1203 0000 0000 2020 51')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter a color, such as #4c6ef5.').waitFor()
  await form.getByLabel('Color').fill('#1f6feb')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  expect(await installation.call('GET', '/api/organization')).toMatchObject({
    data: {
      legalName: 'Analytical Engines Ltd',
      primaryColor: '#1f6feb',
      address: { city: 'London' },
      bankDetails: 'IBAN DE02 1203 0000 0000 2020 51',
    },
  })
  await page.reload()
  await expect.poll(() => form.getByLabel('City').inputValue()).toBe('London')
  await form.getByLabel('City').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  expect(await installation.call('GET', '/api/organization')).toMatchObject({ data: { address: null } })
})

it('is only read by whoever does not manage the workspace', async () => {
  const reader = await installation.workspace.employee({ roles: ['Manager'] })
  const page = await signedIn('/settings/organization', { as: reader })
  await page.getByText('Analytical Engines Ltd').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
})
