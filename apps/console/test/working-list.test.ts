import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call, inSettings } = installation
const { signedIn, signIn } = await openPages(installation)

interface Made {
  readonly id: string
}
const create = async (path: string, body: unknown) => ((await call('POST', path, body)) as { data: Made }).data
const read = async (path: string) => ((await call('GET', path)) as { data: Record<string, unknown> }).data

const options = ['North', 'South'].map((label) => ({ value: label.toLowerCase(), label }))
await inSettings('POST', '/api/settings/custom-fields', {
  entityType: 'DEAL',
  key: 'region',
  label: 'Region',
  type: 'SELECT',
  options,
})
const nora = await workspace.employee({ roles: ['Administrator'] })
await inSettings('PATCH', `/api/settings/users/${nora.id}`, { firstName: 'Nora', lastName: 'Field' })

const longName = 'Ä'.repeat(200)
const rightToLeft = 'صفقة كبيرة'
const mill = await create('/api/deals', {
  name: 'Windmill',
  amount: '1000',
  currency: 'EUR',
  customFields: { region: 'north' },
})
const house = await create('/api/deals', {
  name: 'Lighthouse',
  amount: '250',
  currency: 'EUR',
  customFields: { region: 'south' },
})
await create('/api/deals', { name: longName, amount: '10', currency: 'EUR' })
await create('/api/deals', { name: rightToLeft, currency: 'EUR' })

const sizes = [
  ['1440 px', { width: 1440, height: 900 }],
  ['390 px', { width: 390, height: 844 }],
] as const
const grid = (page: Page) => page.getByRole('grid', { name: 'Deals' })
const cell = (page: Page, row: string, column: string) =>
  grid(page).getByRole('row', { name: row }).locator(`[data-label="${column}"]`)
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const table = '/deals?layout=table'

describe('the working list', () => {
  it('is filtered by a custom field and an amount, in the address too', async () => {
    const page = await signedIn(table)
    await grid(page).getByRole('link', { name: 'Windmill' }).waitFor()
    const rows = () => grid(page).locator('tbody').getByRole('row').count()
    // Three clicks make a condition, and the list follows at once.
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('option', { name: 'Region', exact: true }).click()
    await page.getByRole('option', { name: 'North', exact: true }).click()
    const chips = page.getByRole('list', { name: 'Filters' })
    await chips.getByText('Region is North').waitFor()
    await expect.poll(rows).toBe(1)
    const filter = dialog(page, 'Filter')
    await filter.getByRole('button', { name: 'Add condition' }).click()
    const second = filter.getByRole('group', { name: 'Condition' }).nth(1)
    await second.getByRole('combobox', { name: 'Field' }).fill('Amount')
    await page.getByRole('option', { name: 'Amount', exact: true }).click()
    await filter.getByRole('button', { name: 'Apply' }).click()
    await second.getByText('Enter a value.').waitFor()
    await second.getByRole('textbox', { name: 'Value' }).fill('1,000')
    await chips.getByText('Amount ≥ €1,000').waitFor()
    await filter.getByRole('button', { name: 'Apply' }).click()
    await filter.waitFor({ state: 'detached' })
    await expect.poll(rows).toBe(1)
    const f = new URL(page.url()).searchParams.get('f')
    expect(JSON.parse(f ?? '')).toEqual({
      and: [
        { field: 'cf_region', op: 'is', value: 'north' },
        { field: 'amount', op: 'gte', value: '1000' },
      ],
    })
    await chips.getByRole('button', { name: 'Remove filter Amount ≥ €1,000' }).click()
    await chips.getByRole('button', { name: 'Clear filters' }).click()
    await grid(page).getByRole('link', { name: 'Lighthouse' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it('offers what is often wanted beside it, by one click and by keys, and changes a condition where it stands', async () => {
    const page = await signedIn(table)
    const chips = page.getByRole('list', { name: 'Filters' })
    const asked = () => JSON.parse(new URL(page.url()).searchParams.get('f') ?? '{}') as unknown
    const names = () => grid(page).locator('tbody').getByRole('link').allTextContents()
    const mine = chips.getByRole('button', { name: 'Mine', pressed: false })
    await mine.focus()
    await page.keyboard.press('Enter')
    await chips.getByRole('button', { name: 'Mine', pressed: true }).waitFor()
    await expect.poll(asked).toEqual({ and: [{ field: 'ownerId', op: 'is', value: 'me' }] })
    await page.goBack()
    await mine.waitFor()
    await chips.getByRole('button', { name: 'Stage' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Proposal' }).click()
    await page.getByText('No deals match').waitFor()
    await page.getByRole('menuitemcheckbox', { name: 'Discovery' }).click()
    await expect.poll(names).toContain('Windmill')
    await page.keyboard.press('Escape')
    await chips.getByRole('button', { name: 'Stage is any of Proposal, Discovery' }).waitFor()
    await chips.getByRole('button', { name: 'Clear filters' }).click()

    // A change of one condition is one step back, however long somebody types.
    await page.keyboard.press('f')
    await page.keyboard.type('amount')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1000', { delay: 5 })
    await expect.poll(names).toEqual(['Windmill'])
    await page.keyboard.press('Escape')
    await dialog(page, 'Filter').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Filter', exact: true }).and(page.locator(':focus')).waitFor()
    await chips.getByRole('button', { name: 'Change filter Amount ≥ €1,000' }).click()
    await dialog(page, 'Filter').getByRole('textbox', { name: 'Value' }).fill('200')
    await expect.poll(names).toHaveLength(2)
    await page.goBack()
    await dialog(page, 'Filter').waitFor({ state: 'detached' })
    await chips.getByText('Amount ≥ €1,000').waitFor()
  })

  it('filters by the value of a cell, and says when nothing is left', async () => {
    const page = await signedIn(`${table}&cols=name,amount,cf_region`)
    await cell(page, 'Windmill', 'Region').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await page.getByRole('list', { name: 'Filters' }).getByText('Region is North').waitFor()
    await page.getByRole('searchbox').fill('lighthouse')
    await page.getByText('No deals match').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await grid(page).getByRole('link', { name: 'Lighthouse' }).waitFor()
  })

  it('shows other columns, in another order and width, by keys too', async () => {
    const page = await signedIn(table)
    await page.getByRole('button', { name: 'Columns' }).click()
    await dialog(page, 'Columns').getByRole('searchbox', { name: 'Search fields' }).fill('reg')
    await dialog(page, 'Columns').getByRole('checkbox', { name: 'Region' }).check()
    await dialog(page, 'Columns').getByRole('button', { name: 'Move Region up' }).click()
    await dialog(page, 'Columns').getByRole('button', { name: 'Done' }).click()
    const headings = grid(page).getByRole('columnheader')
    await expect
      .poll(() => headings.allTextContents())
      .toEqual(['', 'Name', 'Amount', 'Stage', 'Company', 'Expected close', 'Owner', 'Region', 'Created'])
    const separator = grid(page).getByRole('separator', { name: 'Width of Region' })
    await separator.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('cols')).toContain('cf_region:148')
  })

  it('is sorted by its headings and adds up over all that it finds', async () => {
    const page = await signedIn(table)
    await grid(page).getByRole('button', { name: 'Amount', exact: true }).click()
    await grid(page).getByRole('columnheader', { name: 'Amount' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await expect.poll(() => grid(page).locator('tbody').getByRole('link').first().textContent()).toBe('Windmill')
    await grid(page).getByRole('button', { name: 'Amount', exact: true }).click()
    await grid(page).getByRole('columnheader', { name: 'Amount' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('amount')
    await grid(page)
      .getByRole('button', { name: 'Name' })
      .click({ modifiers: ['Shift'] })
    await grid(page).getByRole('img', { name: 'Sort level 2' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('amount,name')
    await page.getByRole('button', { name: 'Sort: Amount, Name' }).waitFor()
    await grid(page).getByRole('button', { name: 'Amount' }).first().click()
    await grid(page).getByRole('button', { name: 'Total of Amount: Sum €1,260' }).click()
    await page.getByRole('menuitem', { name: 'Average' }).click()
    await grid(page).getByRole('button', { name: 'Total of Amount: Average €420' }).waitFor()
    await grid(page).getByRole('button', { name: 'Total of Amount' }).click()
    await page.getByRole('menuitem', { name: 'Empty' }).click()
    await grid(page).getByRole('button', { name: 'Total of Amount: Empty 1' }).waitFor()
  })

  it('is saved as a view, changed and saved again, and shared', async () => {
    const name = `Big ones ${unique()}`
    const page = await signedIn(`${table}&sort=-amount`)
    await page.getByRole('button', { name: 'Save view' }).click()
    await dialog(page, 'Save view').getByRole('textbox', { name: 'View name' }).fill(name)
    await dialog(page, 'Save view')
      .getByRole('radiogroup', { name: 'Who can see it' })
      .getByRole('radio', { name: 'Everyone' })
      .check()
    await dialog(page, 'Save view').getByRole('button', { name: 'Save' }).click()
    const tab = page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name })
    await tab.and(page.locator('[aria-selected=true]')).waitFor()
    await cell(page, 'Windmill', 'Amount').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
    const other = await signedIn(table, { as: nora })
    await other.getByRole('tab', { name }).click()
    await other.getByRole('list', { name: 'Filters' }).getByText('Amount = €1,000').waitFor()
    await other.getByRole('tab', { name: 'Mine' }).click()
    await other.getByText('No deals match').waitFor()
  })

  it('says that the field of a view is gone, and goes on without it', async () => {
    const field = { entityType: 'DEAL', key: 'gone', label: 'Gone', type: 'TEXT' }
    const session = await workspace.session()
    const inSession = async (method: string, path: string, body?: unknown) => {
      const headers = { cookie: session, origin: installation.address, 'content-type': 'application/json' }
      const answer = await fetch(installation.address + path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      })
      return (await answer.json()) as { data: Made }
    }
    const { data } = await inSession('POST', '/api/settings/custom-fields', field)
    const filter = JSON.stringify({ and: [{ field: 'cf_gone', op: 'is', value: 'x' }] })
    const view = await create('/api/saved-filters', {
      name: 'Old',
      entityType: 'DEAL',
      query: { filter },
      columns: ['name', 'cf_gone', 'amount'],
    })
    await inSession('DELETE', `/api/settings/custom-fields/${data.id}?retire=true`)
    const page = await signedIn(`${table}&view=${view.id}`)
    await page.getByRole('alert').getByText('A field of this filter no longer exists').waitFor()
    await page.getByRole('alert').getByText('The view goes on without it.').waitFor()
    await grid(page).getByRole('link', { name: 'Windmill' }).waitFor()
    await expect.poll(() => grid(page).getByRole('columnheader').allTextContents()).toEqual(['', 'Name', 'Amount'])
    await page.goto(`${table}&f=${encodeURIComponent(filter)}`)
    await page.getByRole('button', { name: 'Remove its condition' }).click()
    await grid(page).getByRole('link', { name: 'Windmill' }).waitFor()
  })

  it('edits cells by keys and mouse, and goes on with the Tab key', async () => {
    await call('PATCH', `/api/deals/${mill.id}`, { customFields: { region: 'north' } })
    const page = await signedIn(`${table}&cols=name,amount,cf_region,expectedCloseDate`)
    await cell(page, 'Windmill', 'Amount').click()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Bulk actions' }).getByText('4 selected').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByRole('toolbar', { name: 'Bulk actions' }).getByText('1 selected').waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Amount' }).fill('1100')
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Amount' }).waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Amount' }).fill('1,200')
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Region' }).waitFor()
    await page.getByRole('option', { name: 'South' }).click()
    await cell(page, 'Windmill', 'Region').getByText('South').waitFor()
    expect(await read(`/api/deals/${mill.id}`)).toMatchObject({ amount: '1200.00', customFields: { region: 'south' } })
    await cell(page, 'Windmill', 'Amount').dblclick()
    await page.getByRole('textbox', { name: 'Amount' }).fill('1000')
    await page.keyboard.press('Enter')
    await cell(page, 'Windmill', 'Amount').getByText('€1,000').waitFor()
  })

  it.each(sizes)('at %s changes a stage by two clicks', async (_size, viewport) => {
    const page = await signedIn(`${table}&cols=name,stageId`, { viewport })
    await cell(page, 'Windmill', 'Stage').getByText('Discovery').click()
    await page.getByRole('option', { name: 'Proposal' }).click()
    await cell(page, 'Windmill', 'Stage').getByText('Proposal').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await cell(page, 'Windmill', 'Stage').getByText('Discovery').waitFor()
  })

  it('shows both values when two people edit one cell, keeps the text offline, and refuses a table in words', async () => {
    const page = await signedIn(`${table}&cols=name,amount,currency`)
    await cell(page, 'Windmill', 'Amount').dblclick()
    const amount = page.getByRole('textbox', { name: 'Amount' })
    await amount.focus()
    await page.evaluate(
      `const data = new DataTransfer()
       data.setData('text/plain', '1\\t2\\n3\\t4')
       document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`,
    )
    await page.getByText('A cell takes one value.').waitFor()
    await amount.fill('1300')
    await call('PATCH', `/api/deals/${mill.id}`, { amount: '900' })
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('No connection').waitFor()
    await expect.poll(() => amount.inputValue()).toBe('1300')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'while you were editing' })
    await conflict.getByText('€900').waitFor()
    await expect.poll(() => amount.inputValue()).toBe('1300')
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await cell(page, 'Windmill', 'Amount').getByText('€1,300').waitFor()
    await call('PATCH', `/api/deals/${mill.id}`, { amount: '1000' })
  })

  it('keeps a cell when the list cannot be read anew, and says so', async () => {
    const page = await signedIn(`${table}&cols=name,amount`)
    await cell(page, 'Lighthouse', 'Amount').dblclick()
    const amount = page.getByRole('textbox', { name: 'Amount' })
    await amount.fill('260')
    await page.route('**/api/deals?*', (route) => route.fulfill({ status: 503, json: { error: 'Busy' } }))
    await page.route('**/api/batch', (route) => route.fulfill({ status: 503, json: { error: 'Busy' } }))
    await call('PATCH', `/api/deals/${mill.id}`, { description: `Read anew ${unique()}` })
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await expect.poll(() => amount.inputValue()).toBe('260')
    await page.unrouteAll()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    // A click elsewhere saves.
    await cell(page, 'Lighthouse', 'Amount').getByText('€260').waitFor()
    await call('PATCH', `/api/deals/${house.id}`, { amount: '250' })
  })

  it('keeps a cell when the session ends, and closes its filter on the way back', async () => {
    const page = await signedIn(`${table}&sort=-nope,amount`)
    await page.getByRole('tab', { name: 'Mine' }).click()
    await page.getByRole('list', { name: 'Filters' }).waitFor()
    await page.getByRole('button', { name: /^Filter/ }).click()
    await dialog(page, 'Filter').waitFor()
    await page.goBack()
    await dialog(page, 'Filter').waitFor({ state: 'detached' })
    await cell(page, 'Lighthouse', 'Amount').dblclick()
    const amount = page.getByRole('textbox', { name: 'Amount' })
    await amount.fill('260')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    const asking = dialog(page, 'You are signed out')
    await asking.getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
    await asking.getByRole('button', { name: 'Stay here' }).click()
    await asking.waitFor({ state: 'detached' })
    await expect.poll(() => amount.inputValue()).toBe('260')
    await signIn(page)
    await amount.press('Enter')
    await cell(page, 'Lighthouse', 'Amount').getByText('€260').waitFor()
    await call('PATCH', `/api/deals/${house.id}`, { amount: '250' })
  })

  it.each(sizes)('at %s stands long and right-to-left names, without sideways scroll', async (_size, viewport) => {
    const page = await signedIn(table, { viewport })
    await grid(page).getByRole('link', { name: longName }).waitFor()
    await grid(page).getByRole('link', { name: rightToLeft }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const heights = await grid(page)
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThanOrEqual(viewport.width > 800 ? 37 : 60)
    // A phone shows the first record at once, with search and “New” at the bottom.
    if (viewport.width > 800) return
    const top = () =>
      grid(page)
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(240)
    const tools = page.getByRole('search').first()
    await tools.getByText('Board', { exact: true }).waitFor({ state: 'attached' })
    expect(await tools.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
    const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' })
    await shortcuts.getByRole('button', { name: 'New' }).click()
    await page.getByRole('form', { name: 'New deal' }).waitFor()
  })
})

describe('the board', () => {
  const lane = (page: Page, name: string) => page.getByRole('region', { name })

  it('says how many and how much, and moves a card by keys, by menu and back', async () => {
    const page = await signedIn('/deals')
    await lane(page, 'Discovery').getByText('4 · €1,260').waitFor()
    await lane(page, 'Discovery').getByRole('button', { name: 'Move Windmill' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText(/Windmill is over Proposal/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Windmill stays in Discovery.').waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await lane(page, 'Proposal').getByRole('link', { name: 'Windmill' }).waitFor()
    // The keys go on with the card where it is now.
    const handle = lane(page, 'Proposal').getByRole('button', { name: 'Move Windmill' })
    await expect.poll(() => handle.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await lane(page, 'Discovery').getByRole('link', { name: 'Windmill' }).waitFor()
    await lane(page, 'Discovery').getByText('No next step').first().waitFor()
  })

  it('warns of more records than the limit of a stage', async () => {
    const { items } = (await call('GET', '/api/pipelines?entityType=DEAL')) as {
      items: { id: string; stages: Made[] }[]
    }
    const [pipeline] = items
    const stage = `/api/pipelines/${pipeline?.id}/stages/${pipeline?.stages[0]?.id}`
    await call('PATCH', stage, { recordLimit: 3 })
    const page = await signedIn('/deals')
    const figure = lane(page, 'Discovery').getByTitle('The limit of this stage is 3.')
    await expect.poll(() => figure.textContent()).toBe('4 / 3')
    await figure.and(page.locator('[data-full=true]')).waitFor()
    await call('PATCH', stage, { recordLimit: null })
  })

  it('asks for the reason of a loss', async () => {
    const name = `Doomed${unique()}`
    const { id } = await create('/api/deals', { name, amount: '5', currency: 'EUR' })
    const page = await signedIn(`/deals?search=${name}`)
    await page.getByRole('button', { name: `Move ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Lost' }).click()
    const asking = dialog(page, 'Mark as lost')
    await asking.getByRole('button', { name: 'Mark as lost' }).click()
    await asking.getByText('Lost reason is required.').waitFor()
    await asking.getByRole('combobox', { name: 'Lost reason' }).fill('Price')
    await asking.getByRole('textbox', { name: 'Comment' }).fill('They chose the cheaper one')
    await asking.getByRole('button', { name: 'Mark as lost' }).click()
    await lane(page, 'Lost').getByRole('link', { name }).waitFor()
    expect(await read(`/api/deals/${id}`)).toMatchObject({ status: 'LOST', lostReason: 'Price' })
  })

  it('is a calendar too, and a table', async () => {
    await call('PATCH', `/api/deals/${mill.id}`, { expectedCloseDate: new Date().toISOString().slice(0, 10) })
    const page = await signedIn('/deals')
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Calendar').click()
    const days = page.getByRole('list', { name: 'Days' })
    const event = days.getByRole('link', { name: 'Windmill' })
    await event.waitFor()
    const closes = async () => (await read(`/api/deals/${mill.id}`))['expectedCloseDate']
    const at = (day: string) => days.getByRole('listitem').filter({ has: page.locator(`time[datetime="${day}"]`) })
    const [first, second] = ['10', '11'].map((day) => `${new Date().toISOString().slice(0, 8)}${day}`) as [
      string,
      string,
    ]
    await event.dragTo(at(first))
    await expect.poll(closes).toBe(first)
    await at(first).getByRole('link', { name: 'Windmill' }).press('Shift+ArrowRight')
    await expect.poll(closes).toBe(second)
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Table').click()
    await grid(page).waitFor()
  })
})

const panel = (page: Page) => page.getByRole('complementary', { name: 'Side panel' })
const heading = (page: Page, name: string, level: number) => page.getByRole('heading', { name, level, exact: true })

describe('the side panel', () => {
  it('shows a row beside the list, in the address, and follows the order of the list', async () => {
    const page = await signedIn(`${table}&sort=-amount`, { viewport: sizes[0][1] })
    await grid(page).getByRole('link', { name: 'Windmill' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press(' ')
    await panel(page).getByRole('heading', { name: 'Windmill', level: 2 }).waitFor()
    for (const region of ['Key facts', 'Next step', 'Activity'])
      await panel(page).getByRole('region', { name: region }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('peek')).toBe(mill.id)
    await page.keyboard.press('j')
    await panel(page).getByRole('heading', { name: 'Lighthouse', level: 2 }).waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(
      await cell(page, 'Lighthouse', 'Name').evaluate((place) => place.ownerDocument.activeElement === place),
    ).toBe(true)
    await grid(page).getByRole('button', { name: 'Open Windmill in the side panel' }).click({ force: true })
    await panel(page).getByRole('heading', { name: 'Windmill', level: 2 }).waitFor()
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
    await grid(page).getByRole('link', { name: 'Windmill' }).waitFor()
  })

  it('is the page of the record on a phone', async () => {
    const page = await signedIn(`${table}&peek=${mill.id}`, { viewport: sizes[1][1] })
    await heading(page, 'Windmill', 1).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/deals/${mill.id}`)
  })
})

it('a record is worked on by keys, and left for the next one of its list', async () => {
  const page = await signedIn(`${table}&sort=-amount`, { viewport: sizes[0][1] })
  await grid(page).getByRole('link', { name: 'Windmill' }).click()
  await heading(page, 'Windmill', 1).waitFor()
  await page.getByRole('button', { name: 'Edit Owner' }).waitFor()
  const isFocused = async (field: ReturnType<Page['getByRole']>): Promise<void> => {
    await expect.poll(() => field.evaluate((place) => place.ownerDocument.activeElement === place)).toBe(true)
  }
  const fields = [
    ['n', page.getByRole('textbox', { name: 'Note' })],
    ['t', page.getByRole('textbox', { name: 'Task title' })],
    ['m', page.getByRole('form', { name: 'New email' }).getByRole('textbox', { name: 'To' })],
    ['a', page.getByRole('combobox', { name: 'Owner', exact: true })],
    ['s', page.getByRole('listbox', { name: 'Stage' }).getByRole('option', { selected: true })],
  ] as const
  // Another tab hides the forms; a key brings them back.
  await page.getByRole('tab', { name: 'Items' }).click()
  for (const [key, field] of fields) {
    await page.keyboard.press(key)
    await isFocused(field)
    await page.keyboard.press('Escape')
    await page.evaluate('document.activeElement.blur()')
  }
  await page.keyboard.press('Control+k')
  const menu = page.getByRole('dialog', { name: 'Command menu' })
  await menu.getByRole('group', { name: 'On a record' }).getByRole('option', { name: 'Write a note' }).click()
  await isFocused(page.getByRole('textbox', { name: 'Note' }))
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('j')
  await heading(page, 'Lighthouse', 1).waitFor()
  await page.keyboard.press('k')
  await heading(page, 'Windmill', 1).waitFor()
  await page.goBack()
  await grid(page).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-amount')
})

it('keeps nobody out of a cell that is edited', async () => {
  const page = await signedIn(`${table}&cols=name,amount,cf_region`, { colorScheme: 'dark' })
  await cell(page, 'Windmill', 'Amount').dblclick()
  await page.getByRole('textbox', { name: 'Amount' }).waitFor()
  expect(await allBarriers(page)).toEqual([])
})
