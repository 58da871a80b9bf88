import { unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call } = installation
const { signedIn } = await openPages(installation)

const create = (path: string, body: object) => call('POST', path, body)
for (const [name, amount] of [
  ['Lighthouse', '1500'],
  ['Harbour', '2500'],
] as const)
  await create('/api/deals', { name, amount, expectedCloseDate: new Date().toISOString().slice(0, 10) })
await create('/api/leads', { lastName: 'King' })
await create('/api/activities', { type: 'CALL', subject: 'Hello' })

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

it('draws the built-in reports, and shows them as tables that lead to the records', async () => {
  const page = await signedIn('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboards' }).click()
  await page.getByRole('heading', { name: 'Sales overview', level: 1 }).waitFor()
  await region(page, 'Pipeline by stage').getByText('2 · €4,000').waitFor()
  for (const name of ['Forecast', 'Lead sources', 'Activity by person'])
    await region(page, name)
      .getByRole('img', { name: /^Chart: / })
      .waitFor()
  await region(page, 'Won and lost').getByText('Nothing to show yet').waitFor()
  const pipeline = region(page, 'Pipeline by stage')
  await pipeline.getByRole('button', { name: 'Show as table' }).click()
  const row = pipeline.getByRole('table', { name: 'Pipeline by stage' }).getByRole('row').nth(1)
  await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['€4,000', '2'])
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await expect
    .poll(() => JSON.parse(new URL(page.url()).searchParams.get('f') ?? '{}'))
    .toMatchObject({
      and: [{ field: 'status', value: 'OPEN' }, { field: 'stageId' }],
    })
})

it('creates, fills, arranges, shares and deletes a dashboard', async () => {
  const page = await signedIn('/dashboards')
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dashboard' })
  await dialog.getByLabel('Name').fill('Leads of the week')
  await dialog.getByLabel('Who can see it').selectOption('WORKSPACE')
  await dialog.getByLabel('Start with').selectOption('empty')
  await dialog.getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('heading', { name: 'Leads of the week', level: 1 }).waitFor()
  for (const [title, chart] of [
    ['All leads', 'NUMBER'],
    ['By status', 'DONUT'],
  ] as const) {
    const again = page.getByRole('button', { name: 'Edit dashboard' })
    if (title === 'All leads') await again.click()
    await page.getByRole('button', { name: 'Add widget' }).first().click()
    const widget = page.getByRole('dialog', { name: 'Add widget' })
    await widget.getByLabel('Title').fill(title)
    await widget.getByLabel('Chart').selectOption(chart)
    await widget.getByLabel('Record type').selectOption('LEAD')
    if (chart === 'DONUT') await widget.getByLabel('Group by').selectOption('status')
    await widget.getByRole('button', { name: 'Add widget' }).click()
    await region(page, title).waitFor()
  }
  await page.getByRole('button', { name: 'Move By status back' }).click()
  const headings = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect.poll(() => headings.allTextContents()).toEqual(['By status', 'All leads'])
  const separator = page.getByRole('separator', { name: 'Width of By status' })
  const width = Number(await separator.getAttribute('aria-valuenow'))
  await separator.press('ArrowLeft')
  await expect.poll(() => separator.getAttribute('aria-valuenow')).toBe(String(width - 1))
  await region(page, 'By status').getByRole('heading').dragTo(region(page, 'All leads'))
  await expect.poll(() => headings.allTextContents()).toEqual(['All leads', 'By status'])
  await page.getByRole('button', { name: 'Move By status back' }).click()
  await page.getByRole('button', { name: 'Save dashboard' }).click()
  await page.getByText('Dashboard saved').waitFor()
  const colleague = await workspace.employee({ roles: ['Read only'] })
  const theirs = await signedIn(new URL(page.url()).pathname, { as: colleague, viewport: { width: 390, height: 844 } })
  await region(theirs, 'All leads').getByRole('link', { name: '1' }).waitFor()
  await expect
    .poll(() => theirs.getByRole('main').getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['By status', 'All leads'])
  await expect.poll(() => theirs.getByRole('button', { name: 'Edit dashboard' }).count()).toBe(0)
  expect(await theirs.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete dashboard' }).click()
  await page.getByRole('heading', { name: 'Sales overview', level: 1 }).waitFor()
})

it('asks by a filter of its own within a period, lists records, and leads to the records that it counts', async () => {
  for (const [name, amount] of [
    ['Oak door', '900'],
    ['Oak table', '100'],
    ['Pine door', '950'],
  ])
    await installation.call('POST', '/api/deals', { name, amount })
  const page = await signedIn('/dashboards')
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dashboard' })
  await dialog.getByLabel('Name').fill('Oak')
  await dialog.getByLabel('Start with').selectOption('empty')
  await dialog.getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('heading', { name: 'Oak', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Edit dashboard' }).click()
  for (const [title, chart] of [
    ['Oak deals', 'NUMBER'],
    ['Oak list', 'LIST'],
  ] as const) {
    await page.getByRole('button', { name: 'Add widget' }).first().click()
    const widget = page.getByRole('dialog', { name: 'Add widget' })
    await widget.getByLabel('Title').fill(title)
    await widget.getByLabel('Chart').selectOption(chart)
    await widget.getByLabel('Record type').selectOption('DEAL')
    await widget.getByRole('button', { name: 'Filter' }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('combobox', { name: 'Field' }).fill('Name')
    await page.getByRole('option', { name: 'Name', exact: true }).click()
    await filter.getByRole('textbox', { name: 'Value' }).fill('oak')
    await filter.getByRole('button', { name: 'Apply' }).click()
    await filter.waitFor({ state: 'detached' })
    await widget.getByText('Name contains oak').waitFor()
    await widget.getByLabel('The period applies to').selectOption('created')
    if (chart === 'LIST') expect(await allBarriers(page)).toEqual([])
    await widget.getByRole('button', { name: 'Add widget' }).click()
    await region(page, title).waitFor()
  }
  const height = page.getByRole('separator', { name: 'Height of Oak list' })
  await height.press('ArrowDown')
  await expect.poll(() => height.getAttribute('aria-valuenow')).toBe('5')
  await page.getByLabel('Period').selectOption('This month')
  await page.getByRole('button', { name: 'Save dashboard' }).click()
  await page.getByText('Dashboard saved').waitFor()
  await page.reload()
  await region(page, 'Oak list').getByRole('cell', { name: '€900' }).waitFor()
  await expect.poll(() => page.getByLabel('Period').inputValue()).toBe('This month')
  await region(page, 'Oak list').getByRole('link', { name: 'Oak table' }).waitFor()
  await page.getByLabel('Period').selectOption('Last month')
  await region(page, 'Oak list').getByText('Nothing to show yet').waitFor()
  await page.getByLabel('Period').selectOption('This month')
  await region(page, 'Oak deals').getByRole('link', { name: '2', exact: true }).click()
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await page.getByText('2 deals found').waitFor()
  await page.getByRole('list', { name: 'Filters' }).getByText('Name contains oak').waitFor()
})

it('activities have a list, to which their report leads', async () => {
  const subject = `About the oak ${unique()}`
  await installation.call('POST', '/api/activities', { type: 'CALL', subject })
  const page = await signedIn('/dashboards')
  await region(page, 'Activity by person').getByRole('button', { name: 'Show as table' }).click()
  await region(page, 'Activity by person').getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor()
  await page.getByRole('link', { name: subject }).waitFor()
})

it('leaves room for the figures of a language that writes them out', async () => {
  await create('/api/deals', {
    name: 'Bridge',
    amount: '1400000',
    currency: 'EUR',
    expectedCloseDate: new Date().toISOString().slice(0, 10),
  })
  const page = await signedIn('/dashboards', { locale: 'de-DE' })
  const chart = region(page, 'Prognose')
  await chart
    .getByText(/^\d+0\.000\s€$/)
    .first()
    .waitFor()
  const cut = `[...document.querySelectorAll('main svg text')]
    .filter((text) => text.getBoundingClientRect().left < text.ownerSVGElement.getBoundingClientRect().left)
    .map((text) => text.textContent)`
  await expect.poll(() => page.evaluate<string[]>(cut)).toEqual([])
})
