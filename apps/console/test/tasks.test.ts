import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

await installation.call('POST', '/api/projects', { name: 'Old house' })
await installation.call('POST', '/api/tasks', { title: 'Of nobody in particular' })

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe('tasks', () => {
  it('are added in one line, checked off, and told apart by whose they are', async () => {
    const page = await signedIn('/tasks')
    await page.getByText('No tasks').waitFor()
    await page.getByLabel('What is to be done').fill('Water the plants')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const row = page.getByRole('row', { name: /Water the plants/ })
    await row.waitFor()
    await expect.poll(() => page.getByRole('row', { name: /Of nobody/ }).count()).toBe(0)
    await row.getByRole('checkbox').click()
    await row.getByText('Done', { exact: true }).waitFor()
    await page.getByText('All tasks').click()
    await page.getByRole('row', { name: /Of nobody in particular/ }).waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Done' })
    await page.getByText('1 task', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?whose=all&status=DONE')
  })

  it('have a page with their checklist, comments and history, and are changed and deleted there', async () => {
    const page = await signedIn('/tasks')
    await page.getByRole('button', { name: 'New task' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Paint the door')
    await dialog.getByLabel('Start').fill('2030-02-02T10:00')
    await dialog.getByLabel('Due').fill('2030-01-02T10:00')
    await dialog.getByRole('button', { name: 'Create task', exact: true }).click()
    await dialog.getByText('A task is not due before it starts').waitFor()
    await dialog.getByLabel('Start').fill('')
    await dialog.getByRole('combobox', { name: 'Project' }).fill('Old')
    await dialog.getByRole('option', { name: 'Old house' }).click()
    await dialog.getByRole('button', { name: 'Create task', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Paint the door' }).waitFor()
    await page.getByRole('link', { name: 'Old house' }).waitFor()

    const checklist = page.getByRole('list', { name: 'Checklist' })
    for (const step of ['Sand it', 'Buy paint']) {
      await page.getByLabel('New item').fill(step)
      await page.getByRole('button', { name: 'Add item' }).click()
      await checklist.getByLabel(step, { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Move Buy paint up' }).click()
    await page.getByRole('button', { name: 'Move Sand it up' }).and(page.locator(':enabled')).waitFor()
    await expect.poll(() => checklist.getByRole('listitem').allTextContents()).toEqual(['Buy paint', 'Sand it'])
    await checklist.getByLabel('Buy paint', { exact: true }).click()
    await page.getByText('1 of 2 done').waitFor()

    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Green, please')
    await page.getByRole('button', { name: 'Save note' }).click()
    await page.getByRole('list', { name: 'Activity feed' }).getByText('Green, please').waitFor()
    await page.getByRole('button', { name: 'Edit Priority' }).click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    await page.getByText('Urgent').first().waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await said(page, 'Task deleted')
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  })
})

it('a project shows its tasks, to be added and checked off where they stand', async () => {
  const { data } = (await installation.call('POST', '/api/projects', { name: 'New roof' })) as { data: { id: string } }
  await installation.call('POST', '/api/tasks', { title: 'Of another project' })
  const page = await signedIn(`/projects/${data.id}`)
  const panel = page.getByRole('region', { name: 'Tasks' })
  await panel.getByText('Nothing to do').waitFor()
  await panel.getByLabel('What is to be done').fill('Order tiles')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  const row = panel.getByRole('row', { name: /Order tiles/ })
  await row.getByRole('checkbox').click()
  await row.getByText('Done', { exact: true }).waitFor()
  await page.getByText('completed a task').first().waitFor()
  await expect.poll(() => panel.getByRole('row', { name: /Of another/ }).count()).toBe(0)
  await panel.getByRole('link', { name: 'All of them' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ whose: 'all', projectId: data.id })
})
