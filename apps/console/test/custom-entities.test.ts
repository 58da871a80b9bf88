import { launchBrowser, testPassword } from '@crm/testkit'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { adminEmail, startInstallation, type Installation } from './installation.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let installation: Installation
let browser: Browser

/** What the pages complained about: faults, and what the Content-Security-Policy refused. */
const complaints: string[] = []

beforeAll(async () => {
  installation = await startInstallation()
  browser = await launchBrowser()
})

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  const told = complaints.splice(0)
  if (told.length > 0) throw new Error(told.join('\n'))
})

async function open(path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: installation.address })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(violatedDirective + ' ' + blockedURI))`)
  await page.goto(path)
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

it('a type is declared with its fields, its records are kept by the form that these make, and both go again', async () => {
  const page = await open('/settings/custom-entities')
  await page.getByText('No types yet').waitFor()
  await page.getByRole('button', { name: 'New type' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('One is called').fill('Lead')
  await dialog.getByLabel('Several are called').fill('Vehicles')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This name belongs to a built-in type').waitFor()
  await dialog.getByLabel('One is called').fill('Vehicle')
  await dialog.getByRole('button', { name: 'Add a field' }).click()
  await dialog.getByRole('group', { name: 'Field 1' }).getByLabel('Label').fill('Plate')
  await dialog.getByLabel('Required').click()
  await dialog.getByRole('button', { name: 'Add a field' }).click()
  const second = dialog.getByRole('group', { name: 'Field 2' })
  await second.getByLabel('Label').fill('Fuel')
  await second.getByLabel('Type').selectOption({ label: 'One of a list' })
  await dialog.getByLabel('Options').fill('d = Diesel\np = Power')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Vehicles.*Plate, Fuel/ }).waitFor()

  await page.getByRole('navigation').getByRole('link', { name: 'Vehicles' }).click()
  await page.getByRole('button', { name: 'New Vehicle' }).click()
  await dialog.getByLabel('Title').fill('Red van')
  await dialog.getByLabel('Plate').fill('B-AB 123')
  await dialog.getByLabel('Fuel').selectOption({ label: 'Power' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Red van' }).waitFor()
  await page.getByText('B-AB 123').waitFor()
  await page.getByLabel('Comment', { exact: true }).fill('Washed')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('list', { name: 'Comments' }).getByText('Washed').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('commented').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Fuel').selectOption({ label: 'Diesel' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Diesel').first().waitFor()

  await page.getByRole('link', { name: 'Vehicles' }).first().click()
  await page.getByLabel('Search Vehicles').fill('red')
  await page.getByRole('row', { name: /Red van.*B-AB 123.*Diesel/ }).waitFor()
  await page.goto('/settings/custom-entities')
  await page.getByRole('button', { name: 'Delete Vehicles' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Vehicles' }).click()
  await page.getByRole('link', { name: 'Red van' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing here').waitFor()
  await page.goto('/settings/custom-entities')
  await page.getByRole('button', { name: 'Delete Vehicles' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No types yet').waitFor()
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Vehicles' }).count()).toBe(0)
})
