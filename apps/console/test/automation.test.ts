import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

/** Starts a customer's server that reports the event it received. */
async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => response.end(`got ${(JSON.parse(body) as { event: string }).event}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
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
  await expect.poll(() => values.getByLabel('Values: value 1').inputValue()).toBe('{{steps.record.data.id}}')

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await lead.getByRole('alert').waitFor()
  await lead.getByLabel('Values: value 1').fill('{{trigger.name}}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The workflow was saved').waitFor()

  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await expect.poll(() => page.getByLabel('Webhook secret').textContent()).toMatch(/^[\w-]{43}$/)
  const url = await page.getByLabel('Webhook address').textContent()
  expect(url).toMatch(/\/api\/hooks\/[\w-]{43}$/)
  await page.getByRole('button', { name: 'I saved it' }).click()
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByText('Address and secret are the same as before.').waitFor()
  await expect.poll(() => page.getByLabel('Webhook secret').count()).toBe(0)
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Test' }).click()
  await page.getByLabel('Trigger data').fill('{"name":"Ada"}')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect.poll(() => page.getByLabel('Input of record').textContent()).toContain('"lastName": "Ada"')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Calls' }).click()
  await page.getByText('No call was refused').waitFor()

  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Versions' }).click()
  const versions = page.getByRole('table', { name: 'Versions' })
  await versions.getByRole('button', { name: 'Content of version 2' }).waitFor()
  await versions.getByRole('button', { name: 'Content of version 1' }).click()
  await expect
    .poll(() => versions.getByLabel('Version 1', { exact: true }).textContent())
    .toContain('"lastName": "{{trigger.name}}"')
  await expect.poll(() => versions.getByRole('row').nth(1).getByRole('cell').nth(2).textContent()).toMatch(/\p{L}/u)
})

it('makes a rule after showing what is wrong with it, and sends its test to the other side', async () => {
  const receiver = await startReceiver()
  const page = await signedIn('/automation/rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Tell them')
  await page.getByLabel('Event').fill('deal.won')
  await page.getByLabel('Address').fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The address cannot be reached from the internet or is not allowed.').waitFor()
  await page.getByLabel('Address').fill(receiver)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Tell them', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const test = page.getByRole('group', { name: 'Test of request 1' })
  await expect.poll(() => test.getByLabel('Response').textContent()).toContain('got deal.won')
  await expect.poll(() => test.getByText('200', { exact: true }).count()).toBe(1)
  await page.getByRole('table', { name: 'Requests' }).getByText('Test', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No rules').waitFor()
})
