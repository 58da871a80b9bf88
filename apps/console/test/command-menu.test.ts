import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { go, openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn, loaded } = await openPages(installation)

const { data: company } = (await installation.call('POST', '/api/companies', { name: 'Analytical Engines' })) as {
  data: { id: string }
}

const menu = (page: Page) => page.getByRole('dialog', { name: 'Command menu' })
const input = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })

it('finds a record by typing, and remembers it', async () => {
  const page = await signedIn('/tasks')
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await input(page).fill('analyt')
  await menu(page).getByRole('option', { name: 'Analytical Engines' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/companies/${company.id}`)
  await page.keyboard.press('Control+k')
  await menu(page).getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Analytical Engines' }).waitFor()
  await input(page).fill('nothing is called so')
  await menu(page).getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })
})

it('says that it still searches, and shows no answer to another text', async () => {
  const page = await signedIn('/tasks')
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await input(page).fill('analyt')
  const found = menu(page).getByRole('option', { name: 'Analytical Engines' })
  await found.waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/search?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await input(page).fill('quagga')
  await menu(page).getByText('Searching…').waitFor()
  await expect.poll(() => found.count()).toBe(0)
  await expect.poll(() => menu(page).getByText('Nothing found').count()).toBe(0)
  held.resolve()
  await menu(page).getByText('Nothing found').waitFor()
  await expect.poll(() => menu(page).getByText('Searching…').count()).toBe(0)
})

it('makes something new from anywhere, and goes anywhere, on a phone', async () => {
  const page = await signedIn('/tasks', { viewport: { width: 390, height: 844 } })
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await input(page).fill('new comp')
  await menu(page).getByRole('option', { name: 'New company', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: 'New company' }).getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await input(page).fill('pipelines')
  await menu(page).getByRole('group', { name: 'Settings' }).getByRole('option', { name: 'Pipelines' }).click()
  await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor()
})

it('goes by keys, but not while somebody writes', async () => {
  const page = await signedIn('/tasks')
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'New task' }).waitFor()
  await page.keyboard.type('gl')
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await page.getByRole('searchbox').fill('gd')
  await page.keyboard.type('gd')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leads')
  await page.getByRole('searchbox').blur()
  await page.keyboard.type('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByRole('region', { name: 'Go to' }).getByText('Deals').waitFor()
  await page.keyboard.type('lea')
  await keys.getByText('Deals').waitFor({ state: 'detached' })
  await keys.getByRole('region', { name: 'Go to' }).getByText('Leads').waitFor()
  await keys.getByRole('searchbox').fill('no such key')
  await keys.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New deal' }).click()
  await page.getByRole('form', { name: 'New deal' }).waitFor()
})

it('finds a setting by what other programs call it', async () => {
  const page = await signedIn('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await input(page).fill('custom fi')
  await menu(page).getByRole('option', { name: 'Fields', exact: true }).click()
  await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor()
})

it('shows the actions on a record, those on a selection, commands alone and people alone', async () => {
  const maria = await installation.workspace.employee({ roles: ['Member'] })
  await installation.inSettings('PATCH', `/api/settings/users/${maria.id}`, { firstName: 'Maria', lastName: 'Analyst' })
  const page = await signedIn('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await input(page).fill('analyt')
  await menu(page).getByRole('option', { name: 'Analytical Engines' }).waitFor()
  await page.keyboard.press('Tab')
  const actions = menu(page).getByRole('group', { name: 'Actions on Analytical Engines' })
  await actions.getByRole('option', { name: 'Change owner' }).waitFor()
  await page.keyboard.press('Backspace')
  await menu(page)
    .getByRole('group', { name: 'Recent' })
    .or(menu(page).getByRole('group', { name: 'Go to' }))
    .first()
    .waitFor()
  await input(page).fill('analyt')
  await menu(page).getByRole('option', { name: 'Analytical Engines' }).waitFor()
  await page.keyboard.press('Tab')
  await actions.waitFor()
  await page.keyboard.type('task')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
  await page.getByRole('textbox', { name: 'Task title' }).waitFor()

  await page.keyboard.press('Control+k')
  await input(page).fill('@anal')
  await menu(page).getByRole('group', { name: 'People' }).getByRole('option', { name: 'Maria Analyst' }).waitFor()
  await expect.poll(() => menu(page).getByRole('option').count()).toBe(1)
  await input(page).fill('>')
  await menu(page).getByRole('option', { name: 'Duplicate', exact: true }).waitFor()
  await expect.poll(() => menu(page).getByRole('group', { name: 'Recent' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await go(page, '/companies')
  await page.getByRole('checkbox', { name: 'Select row Analytical Engines' }).check()
  await page.keyboard.press('Control+k')
  await menu(page).getByRole('group', { name: 'On the selection' }).getByRole('option', { name: 'Add tags' }).click()
  await page.getByRole('dialog', { name: 'Add tags' }).waitFor()
})

it('has the keys of lists on every page, and folds the sidebar', async () => {
  const page = await signedIn('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('menuitem', { name: 'New deal' }).click()
  await page.getByRole('form', { name: 'New deal' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('form', { name: 'New deal' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Collapse sidebar').waitFor()
})

it('offers only what the person may do', async () => {
  const reader = await installation.workspace.employee({ roles: ['Read only'] })
  const page = await signedIn('/leads', { as: reader })
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await menu(page).getByRole('option', { name: 'Deals' }).waitFor()
  await expect.poll(() => menu(page).getByRole('option', { name: /^New / }).count()).toBe(0)
})

it('keeps nobody out in dark', async () => {
  const page = await signedIn('/settings/profile', { colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await input(page).fill('new')
  await menu(page).getByRole('option', { name: 'New lead' }).waitFor()
  expect(await allBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await allBarriers(page)).toEqual([])
})

/** Lets a part of the console wait until the test opens the gate, as on a slow connection. */
async function behindGate(page: Page, part: string): Promise<() => void> {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  await page.route(`**/assets/${part}-*.js`, async (route) => {
    await gate
    await route.continue()
  })
  return open
}

it('keeps what is typed while a part of the console is still on its way', async () => {
  const { data: lead } = (await installation.call('POST', '/api/leads', {
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'before@byron.example',
  })) as {
    data: { id: string }
  }
  const page = await loaded('/leads?cols=name,email')
  const row = page.getByRole('row').filter({ hasText: 'Byron' })
  await row.waitFor()

  const openMenu = await behindGate(page, 'command-menu')
  await page.keyboard.press('Control+k')
  // Outside of a field these letters go to other pages, and the space leads to the side panel.
  await page.keyboard.type('gd analyyt')
  for (let left = 3; left > 0; left--) await page.keyboard.press('Backspace')
  openMenu()
  await expect.poll(() => input(page).inputValue()).toBe('gd anal')
  await page.keyboard.type('ogy')
  await expect.poll(() => input(page).inputValue()).toBe('gd analogy')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leads')
  await page.keyboard.press('Escape')
  await menu(page).waitFor({ state: 'detached' })

  const openForm = await behindGate(page, 'record-form')
  await page.keyboard.press('c')
  await page.keyboard.type('Mary ')
  openForm()
  const form = page.getByRole('form', { name: 'New lead' })
  await expect.poll(() => form.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Mary ')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })

  const openEditor = await behindGate(page, 'cell-editor')
  const cell = row.locator('[data-key=email]')
  await cell.focus()
  await page.keyboard.press('e')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('ada@byron.example')
  openEditor()
  const field = cell.getByRole('textbox')
  await field.waitFor()
  await expect.poll(() => field.inputValue()).toBe('ada@byron.example')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await installation.call('GET', `/api/leads/${lead.id}`)) as object)
    .toMatchObject({ data: { email: 'ada@byron.example' } })

  const openDialog = await behindGate(page, 'bulk-dialog')
  await page.getByRole('checkbox', { name: 'Select row Ada Byron' }).check()
  await page.getByRole('button', { name: 'Add tags' }).click()
  await page.keyboard.type('poet')
  openDialog()
  const tags = page.getByRole('dialog', { name: 'Add tags' }).getByRole('combobox', { name: 'Tags' })
  await expect.poll(() => tags.inputValue()).toBe('poet')
})

it('opens nothing that was given up with Escape before it was there', async () => {
  const page = await loaded('/tasks')
  await page.getByRole('button', { name: 'New task' }).waitFor()
  const openMenu = await behindGate(page, 'command-menu')
  const arrived = page.waitForResponse('**/assets/command-menu-*.js')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('walker')
  await page.keyboard.press('Escape')
  openMenu()
  await arrived
  await page.keyboard.type('gl')
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await expect.poll(() => menu(page).count()).toBe(0)
})
