import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, openTab, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

await installation.call('POST', '/api/deals', {
  name: 'Windmill',
  amount: '125000.50',
  expectedCloseDate: '2027-03-01',
  items: [{ name: 'Blade', quantity: '3', unitPrice: '10' }],
})
await installation.call('POST', '/api/projects', { name: 'Old house', status: 'ON_HOLD' })

const column = (page: Page, stage: string) => page.getByRole('region', { name: stage })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe('deals', () => {
  it('move over the board by drag and by choice, and stand in the list', async () => {
    const page = await signedIn('/deals')
    const card = (stage: string) => column(page, stage).getByRole('link', { name: 'Windmill' })
    await card('Discovery').waitFor()
    await column(page, 'Discovery').getByText('1 · €125,000.50').waitFor()
    await column(page, 'Discovery').getByRole('listitem').dragTo(column(page, 'Proposal'))
    await card('Proposal').waitFor()
    // The columns are read again one by one, so a card may stand in two of them for a moment.
    await card('Discovery').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Move Windmill' }).click()
    await page.getByRole('menuitem', { name: 'Won' }).click()
    await card('Won').waitFor()
    const zone = (name: string) => page.getByRole('group', { name: `Drop here: ${name}` })
    const drag = async (stage: string, onto: string) => {
      await column(page, stage).getByRole('listitem').hover()
      await page.mouse.down()
      await page.mouse.move(300, 600, { steps: 4 })
      await zone(onto).hover()
      await page.mouse.up()
    }
    await drag('Won', 'Lost')
    const lost = page.getByRole('dialog', { name: 'Mark as lost' })
    await lost.getByRole('combobox', { name: 'Lost reason' }).fill('Too windy')
    await lost.getByRole('button', { name: 'Mark as lost' }).click()
    await card('Lost').waitFor()
    await card('Won').waitFor({ state: 'detached' })
    await drag('Lost', 'Delete')
    await card('Lost').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Windmill' }).waitFor()
    await page.goto('/deals')
    await page.getByRole('button', { name: 'Move Windmill' }).click()
    await page.getByRole('menuitem', { name: 'Won' }).click()
    await card('Won').waitFor()
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Table').click()
    await page
      .getByRole('grid', { name: 'Deals' })
      .getByRole('row', { name: /Windmill.*Won/ })
      .waitFor()
    await page.getByLabel('Search deals').fill('nothing like it')
    await page.getByText('No deals match').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('layout')).toBe('table')
  })

  it('are added, changed, commented on, moved and deleted, and their timeline tells', async () => {
    const page = await signedIn('/deals')
    await page.getByRole('button', { name: 'New deal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Lighthouse')
    await dialog.getByLabel('Amount').fill('a lot')
    await dialog.getByRole('button', { name: 'Create deal', exact: true }).click()
    await dialog.getByText('“a lot” is not a number. Write it like 1,234.50.').waitFor()
    await dialog.getByLabel('Amount').fill('9000')
    await dialog.getByRole('button', { name: 'Create deal', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Lighthouse' }).waitFor()
    const stages = page.getByRole('listbox', { name: 'Stage' })
    await stages.getByRole('option', { name: 'Discovery 0 days', exact: true }).waitFor()
    await expect.poll(() => stages.getByText('days').count()).toBe(1)
    await stages.getByRole('option', { name: 'Lost', exact: true }).click()
    const lost = page.getByRole('dialog', { name: 'Mark as lost' })
    await lost.getByRole('button', { name: 'Mark as lost' }).click()
    await lost.getByText('Lost reason is required.').waitFor()
    await lost.getByRole('combobox', { name: 'Lost reason' }).fill('Too dear')
    await lost.getByRole('button', { name: 'Mark as lost' }).click()
    await said(page, 'Moved to Lost')
    await stages.getByRole('option', { name: 'Lost 0 days', exact: true }).waitFor()
    const feed = page.getByRole('list', { name: 'Activity feed' })
    await feed.getByText('moved to Lost').waitFor()
    await page.getByRole('definition').getByText('Too dear').waitFor()
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Ask again in spring')
    await page.getByRole('button', { name: 'Save note' }).click()
    await feed.getByText('Ask again in spring').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await said(page, 'Deal deleted')
    await column(page, 'Discovery').waitFor()
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor({ state: 'detached' })
  })

  it('have items that are edited in place, add up while they are typed, and give the amount', async () => {
    await installation.call('POST', '/api/products', { name: 'Rotor', basePrice: '99.90', currency: 'EUR' })
    const { data } = (await installation.call('POST', '/api/deals', {
      name: 'Mill repair',
      amount: '500',
      currency: 'EUR',
    })) as { data: { id: string } }
    const page = await signedIn(`/deals/${data.id}`)
    await openTab(page, 'Items')
    await page.getByRole('button', { name: 'Add items' }).click()
    const form = page.getByRole('form', { name: 'Items' })
    const item = (at: number) => form.getByRole('group', { name: `Item ${at}` })
    await item(1).getByRole('combobox', { name: 'Product or service' }).fill('rot')
    await page.getByRole('option', { name: 'Rotor' }).click()
    await expect.poll(() => item(1).getByLabel('Unit price').inputValue()).toBe('99.90')
    await item(1).getByLabel('Quantity').fill('3')
    await form.getByRole('button', { name: 'Add item' }).click()
    await item(2).getByRole('combobox', { name: 'Product or service' }).fill('Advice')
    await item(2).getByLabel('Unit price').fill('much')
    await form.getByText('Sum –').waitFor()
    await item(2).getByLabel('Unit price').fill('50,5')
    await item(2).getByLabel('Discount').fill('0.50')
    await form.getByText('Sum €349.70').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    const table = page.getByRole('table', { name: 'Items' })
    await table.getByRole('row', { name: /Rotor.*3.*€299.70/ }).waitFor()
    await page.getByText('The amount of the deal is €500.').waitFor()
    await page.getByRole('button', { name: 'Use the sum' }).click()
    await page.getByText('Amount set to the sum of the items').waitFor()
    expect(await installation.call('GET', `/api/deals/${data.id}`)).toMatchObject({
      data: {
        amount: '349.70',
        items: [
          { name: 'Rotor', quantity: '3', unitPrice: '99.90' },
          { name: 'Advice', unitPrice: '50.5', discount: '0.50' },
        ],
      },
    })
    await page.getByRole('button', { name: 'Edit items' }).click()
    await form.getByRole('button', { name: 'Remove item 1' }).click()
    await installation.call('PATCH', `/api/deals/${data.id}`, { description: 'Meanwhile' })
    // The change has arrived by itself, and the items were typed before it.
    await page.getByText('Meanwhile').first().waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Changed by someone else').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await table.getByRole('row', { name: /Advice/ }).waitFor()
    expect(await installation.call('GET', `/api/deals/${data.id}`)).toMatchObject({
      data: { amount: '50.00', items: [{ name: 'Advice' }] },
    })
  })

  it('have activities: logged at once, or planned and then done', async () => {
    const page = await signedIn('/deals?view=list')
    await page.getByRole('link', { name: 'Windmill' }).click()
    await page.getByRole('tablist', { name: 'New activity' }).getByRole('tab', { name: 'Call', exact: true }).click()
    const form = page.getByRole('form', { name: 'New call or meeting' })
    const entries = page.getByRole('list', { name: 'Activity feed' }).getByRole('listitem')
    const log = async (kind: string, subject: string, startAt: string) => {
      await form.getByLabel('Type').selectOption({ label: kind })
      await form.getByLabel('Subject').fill(subject)
      await form.getByLabel('Date and time').fill(startAt)
      await form.getByRole('button', { name: 'Log a call or meeting' }).click()
      await entries.getByRole('link', { name: subject }).first().waitFor()
    }
    await log('Call', 'First call', '')
    await log('Meeting', 'Site visit', '2099-01-01T10:00')
    const visit = entries.filter({ hasText: 'scheduled a meeting Site visit · 1 Jan 2099' })
    const done = visit.getByRole('button', { name: 'Mark Site visit as done' })
    await done.click()
    await done.waitFor({ state: 'detached' })
    await page.getByLabel('Show in activity').selectOption('Calls and meetings')
    await expect.poll(() => entries.count()).toBe(2)
    await entries.filter({ hasText: 'logged a call First call' }).waitFor()
    await openTab(page, 'Items')
    await page.getByRole('table', { name: 'Items' }).getByRole('cell', { name: 'Blade' }).waitFor()
  })

  it('are shown without a way to change them to whoever only reads', async () => {
    const reader = await installation.workspace.employee({ roles: ['Read only'] })
    const page = await signedIn('/deals', { as: reader })
    await page.getByRole('link', { name: 'Windmill' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Move Windmill' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'New deal' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Windmill' }).click()
    await page.getByRole('heading', { level: 1, name: 'Windmill' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Edit / }).count()).toBe(0)
  })
})

describe('projects', () => {
  it('are found, added, changed, and tell what happened', async () => {
    const page = await signedIn('/projects')
    await page.getByRole('row', { name: /Old house.*On hold/ }).waitFor()
    await page.getByRole('button', { name: 'New project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('New house')
    await dialog.getByLabel('Budget').fill('1000')
    await dialog.getByRole('combobox', { name: 'Members' }).fill('Ada')
    await page.getByRole('option', { name: 'Ada Admin' }).click()
    await dialog.getByRole('button', { name: 'Create project', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'New house' }).waitFor()
    await page.getByRole('definition').getByText('€1,000').waitFor()
    await page.getByRole('button', { name: 'Edit Status' }).click()
    await page.getByRole('option', { name: 'Completed' }).click()
    await page.getByRole('definition').getByText('100 %').waitFor()
    await page.getByText('changed the status to Completed').waitFor()
    await page.getByText('created this project').waitFor()
  })
})

it('a deal moves by the thumb on a phone, and back', async () => {
  const name = `Ferry ${unique()}`
  await installation.call('POST', '/api/deals', { name, amount: '10' })
  const page = await signedIn('/deals', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const card = (stage: string) => column(page, stage).getByRole('link', { name })
  await card('Discovery').waitFor()
  const handle = page.getByRole('button', { name: `Move ${name}` })
  const box = await handle.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(32)
  await handle.tap()
  const menu = page.getByRole('menu')
  await menu.getByText('Move to', { exact: true }).waitFor()
  expect(await allBarriers(page)).toEqual([])
  await menu.getByRole('menuitem', { name: 'Proposal' }).tap()
  await card('Proposal').waitFor()
  await card('Discovery').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await card('Discovery').waitFor()
})
