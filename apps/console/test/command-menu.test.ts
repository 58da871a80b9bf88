import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const { data: company } = (await installation.call('POST', '/api/companies', { name: 'Analytical Engines' })) as {
  data: { id: string }
}

const sizes = [
  ['1440 px', { width: 1440, height: 900 }],
  ['390 px', { width: 390, height: 844 }],
] as const

const menu = (page: Page) => page.getByRole('dialog', { name: 'Command menu' })
const input = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })

it.each(sizes)('at %s finds a record by typing, and remembers it', async (_size, viewport) => {
  const page = await signedIn('/tasks', { viewport })
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

it.each(sizes)('at %s makes something new from anywhere, and goes anywhere', async (_size, viewport) => {
  const page = await signedIn('/tasks', { viewport })
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  if (viewport.width < 500) await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await input(page).fill('new comp')
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
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New deal' }).click()
  await page.getByRole('form', { name: 'New deal' }).waitFor()
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
  await menu(page).getByRole('option', { name: 'Duplicate' }).waitFor()
  await expect.poll(() => menu(page).getByRole('group', { name: 'Recent' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.goto('/companies')
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

it.each(['light', 'dark'] as const)('keeps nobody out in %s', async (colorScheme) => {
  const page = await signedIn('/settings/profile', { colorScheme, bypassCSP: true })
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
