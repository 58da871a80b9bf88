import { launchBrowser, testPassword } from '@crm/testkit'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { adminEmail, startInstallation, type Installation } from './installation.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let installation: Installation
let browser: Browser

beforeAll(async () => {
  installation = await startInstallation()
  browser = await launchBrowser()
})

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})

async function signedIn(path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: installation.address })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(path)
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

it('builds a workflow, shows its secret once, and tries it out', async () => {
  const page = await signedIn('/automation/workflows')
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Website form')
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('heading', { name: 'Website form', level: 1 }).waitFor()

  const steps = page.getByRole('group', { name: 'Steps', exact: true })
  await steps.getByLabel('New step in Steps').selectOption('CREATE_RECORD')
  await steps.getByRole('button', { name: 'Add step to Steps' }).click()
  const lead = page.getByRole('region', { name: 'Step record' })
  await lead.getByRole('button', { name: 'Add to values' }).click()
  await lead.getByLabel('Values: name 1').fill('lastName')
  await lead.getByLabel('Values: value 1').fill('{{trigger.name')
  await steps.getByLabel('New step in Steps').selectOption('SET')
  await steps.getByRole('button', { name: 'Add step to Steps' }).click()
  const values = page.getByRole('region', { name: 'Step values' })
  await values.getByRole('button', { name: 'Add to values' }).click()
  await values.getByLabel('Values: name 1').fill('made')
  await values.getByLabel('Values: value 1').focus()
  await values.getByRole('button', { name: 'steps.record.data.id' }).click()
  expect(await values.getByLabel('Values: value 1').inputValue()).toBe('{{steps.record.data.id}}')

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await lead.getByRole('alert').waitFor()
  await lead.getByLabel('Values: value 1').fill('{{trigger.name}}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The workflow was saved').waitFor()

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  expect(await page.getByLabel('Webhook secret').textContent()).toMatch(/^[\w-]{43}$/)
  const url = await page.getByLabel('Webhook address').textContent()
  expect(url).toMatch(/\/api\/hooks\/[\w-]{43}$/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Publish again' }).click()
  await page.getByText('Address and secret are the same as before.').waitFor()
  expect(await page.getByLabel('Webhook secret').count()).toBe(0)
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Test' }).click()
  await page.getByLabel('Trigger data').fill('{"name":"Ada"}')
  await page.getByRole('button', { name: 'Try it' }).click()
  expect(await page.getByLabel('Input of record').textContent()).toContain('"lastName": "Ada"')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Calls' }).click()
  await page.getByText('No call was refused').waitFor()
})

it('makes a rule after showing what is wrong with it', async () => {
  const page = await signedIn('/automation/rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Tell them')
  await page.getByLabel('Event').fill('deal.won')
  await page.getByLabel('Address').fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The address cannot be reached from the internet or is not allowed.').waitFor()
  await page.getByLabel('Address').fill('https://1.1.1.1/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Tell them', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Show the requests' }).click()
  expect(await page.getByLabel('Request 1 as it would be sent').textContent()).toContain('deal.won')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No rules').waitFor()
})
