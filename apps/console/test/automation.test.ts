import { unique } from '@crm/testkit'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { go, openPages, openTab, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)
const { call, inSettings } = installation

await call('POST', '/api/leads', { firstName: 'Ada', lastName: 'King', email: 'ada@king.example' })

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' }).textContent()
const result = (page: Page) => page.getByRole('list', { name: 'Test result' })

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

it('builds a workflow on a phone, reads it as a sentence, and tries it out', async () => {
  const page = await signedIn('/automation/workflows', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('button', { name: 'Call new leads' }).waitFor()
  await page.getByRole('button', { name: 'Blank' }).click()
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Lead is created' }).click()
  await page.getByRole('button', { name: 'Add step' }).click()
  expect(await allBarriers(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Add task' }).click()
  await page.getByRole('textbox', { name: 'Task title' }).fill('Call the lead')
  await expect.poll(() => summary(page)).toBe('When a lead is created, add the task “Call the lead”.')
  await page.getByRole('region', { name: 'Canvas' }).getByRole('button', { name: 'Call the lead' }).waitFor()
  expect(await allBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Test run' }).click()
  await expect.poll(() => result(page).textContent()).toContain('Add the task “Call the lead”')
  await expect.poll(() => page.getByRole('combobox', { name: 'Record' }).inputValue()).toBe('Ada King')
  expect(await allBarriers(page)).toEqual([])
  expect(await call('GET', '/api/tasks')).toMatchObject({ total: 0 })
})

it('builds a workflow by the keyboard alone', async () => {
  const page = await signedIn('/automation')
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** Goes on with Tab until something with a name has the focus. */
  const reach = async (name: string) => {
    const focused = () =>
      page.evaluate(
        `(() => { const it = document.activeElement; const by = it?.getAttribute('aria-labelledby') ?? (it?.id ? it.id + '-label' : ''); return it?.getAttribute('aria-label') ?? document.getElementById(by)?.textContent ?? it?.textContent ?? '' })()`,
      )
    for (let tabs = 0; (await focused()) !== name; tabs += 1) {
      if (tabs > 60) throw new Error(`The keyboard does not reach ${name}`)
      await press('Tab')
    }
  }
  await page.getByRole('heading', { level: 1, name: 'Automation' }).waitFor()
  await reach('New workflow')
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New workflow' })
  await dialog.getByRole('button', { name: 'Blank' }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement?.textContent ?? ''`)).toContain('Blank')
  await press('Enter')
  await page.getByRole('combobox', { name: 'When' }).waitFor()
  await reach('When')
  await page.keyboard.type('Deal is won')
  await page.getByRole('option', { name: 'Deal is won' }).waitFor()
  await press('ArrowDown', 'Enter')
  await expect.poll(() => summary(page)).toBe('When a deal is won, nothing happens yet.')
  await page.evaluate(`document.activeElement?.blur()`)
  await reach('Add step')
  await press('Enter')
  await page.getByRole('menuitem', { name: 'Add task' }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement?.textContent ?? ''`)).toBe('Add task')
  await press('Enter')
  await page.getByRole('textbox', { name: 'Task title' }).waitFor()
  await reach('Task title')
  await page.keyboard.type('Send flowers')
  await expect.poll(() => summary(page)).toBe('When a deal is won, add the task “Send flowers”.')
  await page.evaluate(`document.activeElement?.blur()`)
  await reach('Test run')
  await press('Enter')
  await expect.poll(() => result(page).textContent()).toContain('Add the task “Send flowers”')
})

it('puts data, conditions and branches into words, turns the workflow on, and shows its versions and runs', async () => {
  const welcome = `Welcome ${unique()}`
  await inSettings('POST', '/api/settings/workflows', { name: welcome, trigger: { type: 'MANUAL' } })
  const page = await signedIn('/automation', { viewport: { width: 1440, height: 900 } })
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('button', { name: 'Call new leads' }).click()
  const said = 'When a lead is created, add the task “Call Lead › First name Lead › Last name”.'
  await expect.poll(() => summary(page)).toBe(said)

  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Email', exact: true }).click()
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'contains' }).click()
  await page.getByLabel('Value').fill('@king')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => summary(page)).toContain('When a lead is created and email contains @king, add')

  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByRole('button', { name: 'Add task' }).click()
  const title = page.getByRole('textbox', { name: 'Task title' })
  await title.fill('Write to : now')
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Insert data into Task title' }).click()
  await page.getByRole('textbox', { name: 'Search data' }).fill('last')
  await page.getByRole('option', { name: 'Last name' }).click()
  await expect.poll(() => title.textContent()).toBe('Write to Lead › Last name: now')

  await canvas.getByRole('button', { name: 'Add step', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Branch' }).click()
  await canvas.getByRole('button', { name: 'Add to “Else”' }).click()
  await page.getByRole('menuitem', { name: 'Assign owner' }).click()
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: 'Ada Admin' }).click()
  await canvas.getByRole('button', { name: 'Assign the lead to Ada Admin' }).waitFor()
  await page.getByRole('combobox', { name: 'Assign to' }).click()
  await page.getByRole('option', { name: 'Next person on a list' }).click()
  await page.getByRole('combobox', { name: 'People' }).click()
  await page.getByRole('option', { name: 'Ada Admin' }).click()
  await page.keyboard.press('Escape')
  await canvas.getByRole('button', { name: 'Assign the lead to the next of Ada Admin' }).waitFor()
  await canvas.getByRole('button', { name: 'Add step', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Start workflow' }).click()
  await page.getByRole('combobox', { name: 'Workflow' }).click()
  await page.getByRole('option', { name: welcome }).click()
  await canvas.getByRole('button', { name: `Start the workflow “${welcome}”` }).waitFor()
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('list', { name: 'Else' }).getByRole('button', { name: 'Assign the lead' }).waitFor()
  expect(await allBarriers(page)).toEqual([])

  await page.getByRole('button', { name: 'Test run' }).click()
  await expect.poll(() => result(page).textContent()).toContain('Write to King: now')
  await expect
    .poll(() => result(page).textContent())
    .toContain(`Start the workflow “${welcome}”The workflow is not turned on.`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Workflow turned on').waitFor()
  await openTab(page, 'Versions')
  const versions = page.getByRole('table', { name: 'Versions' })
  await versions.getByText(/^When a lead is created and email contains @king/).waitFor()
  await versions.getByRole('button', { name: /content of version 1/i }).click()
  await expect.poll(() => versions.getByLabel('Version 1', { exact: true }).textContent()).toContain('"then": []')
  expect(await allBarriers(page)).toEqual([])
  await openTab(page, 'Runs')
  await page.getByText('No runs yet').waitFor()

  const [, id] = /^\/automation\/([^/]+)/.exec(new URL(page.url()).pathname) ?? []
  await page.getByRole('link', { name: 'Automation' }).last().click()
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) })
  await row.getByText(/^When a lead is created and email contains @king/).waitFor()
  await row.getByRole('switch', { name: 'Turn on Call new leads' }).click({ force: true })
  await row.getByText('Paused').waitFor()
})

it('gives a webhook its address once, marks what is wrong, and shows a run on its drawing', async () => {
  const page = await signedIn('/automation')
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('button', { name: 'Turn website forms into leads' }).click()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect.poll(() => page.getByLabel('Webhook secret').textContent()).toMatch(/^[\w-]{43}$/)
  await expect.poll(() => page.getByLabel('Webhook address').textContent()).toMatch(/\/api\/hooks\/[\w-]{43}$/)
  await page.getByRole('button', { name: 'I saved it' }).click()
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByText('Address and secret are the same as before.').waitFor()
  await expect.poll(() => page.getByLabel('Webhook secret').count()).toBe(0)
  await page.getByRole('button', { name: 'Close' }).click()
  await openTab(page, 'Calls')
  await page.getByText('No call was refused').waitFor()

  await openTab(page, 'Editor')
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Every day at' }).click()
  await page.getByLabel('Time', { exact: true }).fill('07:30')
  await expect.poll(() => summary(page)).toBe('Every day at 07:30, create a lead.')
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Started by hand' }).click()
  await page.getByRole('button', { name: 'Add step', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Send request' }).click()
  await page.getByLabel('Address').fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The address cannot be reached from the internet or is not allowed.').waitFor()
  await page.getByRole('button', { name: /Needs attention/ }).waitFor()
  await page.getByRole('button', { name: 'Remove step' }).click()
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByText('Changes published').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Start now' }).click()
  await page.getByText('Workflow started').waitFor()
  await openTab(page, 'Runs')
  await page.getByRole('table', { name: 'Runs' }).getByRole('link').click()
  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByRole('button', { name: /Not reached.*Create a lead/ }).click()
  expect(await allBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop run' }).click()
  await page.getByText('Cancelled').waitFor()
})

it('lets a webhook take forms and answer the question of its sender', async () => {
  const page = await signedIn('/automation')
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
  const trigger = async () => {
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { data } = (await inSettings('GET', `/api/settings/workflows/${id}`)) as { data: { trigger: object } }
    return data.trigger
  }
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('button', { name: 'Turn website forms into leads' }).click()
  await choose('Calls bring', 'The fields of a form')
  await choose('Sender that asks first', 'Meta (Facebook, Instagram, WhatsApp)')
  await page.getByLabel('Verify token').fill('of my own')
  await page.getByLabel('Answer senders of CloudEvents').check()
  expect(await allBarriers(page)).toEqual([])
  await save()
  const meta = { name: 'hub.verify_token', equals: 'of my own' }
  await expect.poll(trigger).toMatchObject({
    accept: 'FORM',
    cloudEvents: true,
    challenge: { in: 'QUERY', echo: 'hub.challenge', as: 'TEXT', require: meta },
  })

  await choose('Sender that asks first', 'Another sender')
  await choose('Place of the question', 'Body')
  await choose('Form of the response', 'JSON')
  await page.getByLabel('Only together with').fill('kind')
  await page.getByLabel('Its value').fill('check')
  expect(await allBarriers(page)).toEqual([])
  await save()
  await expect.poll(() => page.getByLabel('Name of the value').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Name of the value').fill('data.code')
  await page.getByLabel('Name in the response').fill('code')
  await save()
  await expect.poll(trigger).toMatchObject({
    challenge: { in: 'BODY', echo: 'data.code', as: 'JSON', name: 'code', require: { name: 'kind', equals: 'check' } },
  })

  await choose('Sender that asks first', 'Nobody asks')
  await save()
  await expect.poll(trigger).toMatchObject({ challenge: null })
})

it('names the data of a rule and of a workflow that an event never has', async () => {
  const trigger = { event: 'deal.created', conditions: [{ field: 'created', op: 'EQ', value: 1 }] }
  const actions = [{ type: 'WEBHOOK', url: 'https://receiver.example/', bodyTemplate: '{"id": {{data.dealNumber}}}' }]
  const steps = [{ key: 'task', type: 'CREATE_RECORD', entityType: 'TASK', values: { title: '{{trigger.created}}' } }]
  const made = [
    [
      '/automation/rules',
      await inSettings('POST', '/api/settings/automation-rules', { name: unique(), trigger, actions }),
    ],
    [
      '/automation',
      await inSettings('POST', '/api/settings/workflows', {
        name: unique(),
        trigger: { ...trigger, type: 'EVENT', conditions: [] },
        steps,
      }),
    ],
  ] as const
  const warned = [
    ['Deal is created: no data for “Trigger › Created”', 'Request 1: no data for “Trigger › Deal number”'],
    ['Add the task “Trigger › Created”: no data for “Trigger › Created”'],
  ]
  const page = await signedIn('/automation')
  for (const [at, [path, answer]] of made.entries()) {
    await go(page, `${path}/${(answer as { data: { id: string } }).data.id}`)
    const warning = page.getByRole('alert', { name: 'Needs attention' })
    for (const text of warned[at] ?? []) await warning.getByText(text, { exact: true }).waitFor()
  }
})

it('opens a rule from the same list, shows what is wrong with it, and sends its test to the other side', async () => {
  const receiver = await startReceiver()
  await inSettings('POST', '/api/settings/automation-rules', {
    name: 'Tell them',
    isActive: false,
    trigger: { event: 'deal.created' },
    actions: [{ type: 'WEBHOOK', url: receiver }],
  })
  const page = await signedIn('/automation/rules')
  await page.getByRole('link', { name: 'Tell them' }).click()
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Deal is won' }).click()
  await page.getByLabel('Address').fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The address cannot be reached from the internet or is not allowed.').waitFor()
  await page.getByLabel('Address').fill(receiver)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rule saved').waitFor()
  await expect.poll(() => summary(page)).toBe('When a deal is won, send a request to 127.0.0.1.')
  await page.getByRole('button', { name: 'Send a test' }).click()
  const test = page.getByRole('group', { name: 'Test of request 1' })
  await expect.poll(() => test.getByLabel('Response').textContent()).toContain('got deal.won')
  await expect.poll(() => test.getByText('200', { exact: true }).count()).toBe(1)
  await page.getByRole('table', { name: 'Requests' }).getByText('Test', { exact: true }).waitFor()
  expect(await allBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Automation' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Tell them' }).count()).toBe(0)
})
