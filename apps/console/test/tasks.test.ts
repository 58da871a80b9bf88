import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { go, openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

await installation.call('POST', '/api/projects', { name: 'Old house' })
await installation.call('POST', '/api/tasks', { title: 'Of nobody in particular' })

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe('tasks', () => {
  it('are added in one line, checked off, and told apart by whose they are', async () => {
    const colleague = await installation.workspace.employee({ roles: ['Manager'] })
    const { data } = (await installation.call('GET', `/api/employees/${colleague.id}`)) as { data: { name: string } }
    const title = `Water the plants ${unique()}`
    const page = await signedIn('/tasks')
    await page.getByText('No tasks match').waitFor()
    await page.getByRole('textbox', { name: 'Task title' }).fill(title)
    await page.getByRole('textbox', { name: 'Due date' }).fill('some day')
    await page.keyboard.press('Enter')
    await page.getByText('is not a day. Write one such as').waitFor()
    await page.getByRole('textbox', { name: 'Due date' }).fill('2031-05-01')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row', { name: new RegExp(`${title}.*1 May 2031`) })
    await row.waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Task title' }).inputValue()).toBe('')
    await expect.poll(() => page.getByRole('row', { name: /Of nobody/ }).count()).toBe(0)
    await row.getByRole('checkbox', { name: `Complete ${title}` }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await row.getByRole('checkbox', { name: `Complete ${title}` }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Assignee' }).click()
    await page.getByRole('option', { name: data.name }).click()
    await page.getByRole('textbox', { name: 'Task title' }).fill('Prune the roses')
    await page.keyboard.press('Enter')
    await said(page, 'Task created')
    await page.getByRole('tab', { name: 'All' }).click()
    await page.getByRole('row', { name: /Of nobody in particular/ }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?view=all')
    await page.getByRole('row', { name: new RegExp(`Prune the roses.*${data.name}`) }).waitFor()
    const done = row.getByRole('gridcell', { name: 'Done', exact: true })
    await done.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await page.getByText(/^\d+ tasks? found$/).waitFor()
    await page.getByRole('row', { name: /Of nobody/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('checkbox', { name: `Select row ${title}` }).check()
    await page.getByRole('toolbar', { name: 'Bulk actions' }).getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Sort: Due' }).waitFor()
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
  await panel.getByRole('textbox', { name: 'Task title' }).fill('Order tiles')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  const row = panel.getByRole('row', { name: /Order tiles/ })
  await row.getByRole('checkbox').click()
  await row.getByText('Done', { exact: true }).waitFor()
  await page.getByText('completed the task').first().waitFor()
  await expect.poll(() => panel.getByRole('row', { name: /Of another/ }).count()).toBe(0)
  await panel.getByRole('link', { name: 'All of them' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  await page.getByRole('list', { name: 'Filters' }).getByText('Project is New roof').waitFor()
  await page.getByText('1 task found').waitFor()
})

it('the last open task of an open deal asks for the next one, wherever it is completed', async () => {
  const create = async (path: string, body: object) =>
    ((await installation.call('POST', path, body)) as { data: { id: string } }).data.id
  const dueAt = new Date(Date.now() + 86_400_000).toISOString()
  const assigneeId = installation.workspace.adminUserId
  const deal = await create('/api/deals', { name: 'Harbour' })
  const lost = await create('/api/deals', { name: 'Long lost', status: 'LOST', lostReason: 'Price' })
  const task = (title: string, entityId: string) =>
    create('/api/tasks', { title, assigneeId, dueAt, links: [{ entityType: 'DEAL', entityId }] })
  await task('First', deal)
  await task('Second', deal)
  await task('Of the lost one', lost)
  const page = await signedIn('/tasks')
  const asked = page.getByRole('dialog', { name: 'Next step: Harbour' })
  await page.getByRole('checkbox', { name: 'Complete First' }).click()
  await said(page, 'Task completed')
  await page.getByRole('checkbox', { name: 'Complete Of the lost one' }).click()
  await page.getByRole('row', { name: /Of the lost one/ }).waitFor({ state: 'detached' })
  await expect.poll(() => asked.count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Complete Second' }).click()
  await asked.getByRole('textbox', { name: 'Task title' }).fill('Third')
  await asked.getByRole('textbox', { name: 'Due date' }).fill('tomorrow')
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })

  await page.goto('/')
  await page.getByRole('checkbox', { name: 'Complete Third' }).click()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await task('Fourth', deal)

  await page.goto(`/deals/${deal}`)
  await page.getByRole('button', { name: 'Complete Fourth' }).click()
  const next = page.getByRole('region', { name: 'Next step' })
  await next.getByRole('textbox', { name: 'Task title' }).fill('Fifth')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Tasks', exact: true }).click()
  await page.getByRole('region', { name: 'Tasks' }).getByRole('checkbox', { name: 'Complete Fifth' }).click()
  await next.getByRole('textbox', { name: 'Task title' }).waitFor()
})

it('what was changed last is taken back by its button and by Ctrl Z, and not while somebody writes', async () => {
  const { data } = (await installation.call('POST', '/api/deals', { name: 'Pier' })) as {
    data: { id: string; stageId: string; ownerId: string }
  }
  const now = async () => ((await installation.call('GET', `/api/deals/${data.id}`)) as { data: object }).data
  const page = await signedIn(`/deals/${data.id}`)
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
  await page.getByRole('button', { name: 'Edit Probability' }).click()
  await page.getByLabel('Probability').fill('35')
  await page.keyboard.press('Enter')
  await said(page, 'Probability changed')
  await expect.poll(now).toMatchObject({ probability: 35 })
  await page.getByRole('listbox', { name: 'Stage' }).getByRole('option', { name: 'Proposal' }).click()
  await said(page, 'Moved to Proposal')
  await page.getByRole('textbox', { name: 'Note', exact: true }).press('Control+z')
  await undo.last().click()
  await said(page, 'Undone')
  await expect.poll(now).toMatchObject({ stageId: data.stageId, probability: 35 })
  await page.getByRole('heading', { name: 'Pier', level: 1 }).click()
  await page.keyboard.press('Control+z')
  await expect.poll(now).toMatchObject({ stageId: data.stageId, probability: expect.not.toBeOneOf([35]) })
  await page.keyboard.press('Control+z')
  await said(page, 'Nothing to undo')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Undo the last change').waitFor()
})

it('says so when the change was overtaken, and keeps what somebody else wrote', async () => {
  const { data } = (await installation.call('POST', '/api/deals', { name: 'Mole' })) as { data: { id: string } }
  const page = await signedIn(`/deals/${data.id}`)
  await page.getByRole('button', { name: 'Edit Name' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mole at night')
  await page.keyboard.press('Enter')
  await said(page, 'Name changed')
  await installation.call('PATCH', `/api/deals/${data.id}`, { name: 'Mole by day' })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await said(page, 'Not undone: it has changed since.')
  await page.getByRole('heading', { name: 'Mole by day', level: 1 }).waitFor()
})

it('“today” is the day of the person, in a list and on Home', async () => {
  const as = await installation.workspace.employee({ roles: ['Administrator'] })
  await installation.inSettings('PATCH', `/api/settings/users/${as.id}`, { timezone: 'Asia/Tokyo' })
  const page = await signedIn('/', { as })
  const asked = (path: string, word: string) =>
    page.waitForRequest((request) => {
      const sent = decodeURIComponent(request.url() + (request.postData() ?? ''))
      return sent.includes(path) && sent.includes(word) && sent.includes('timezone=Asia/Tokyo')
    })
  const ofHome = asked('/api/tasks?', 'dueTo=7d')
  await page.reload()
  await ofHome
  const ofList = asked('/api/tasks?', '"today"')
  await go(
    page,
    `/tasks?f=${encodeURIComponent(JSON.stringify({ and: [{ field: 'dueAt', op: 'is', value: 'today' }] }))}`,
  )
  await ofList
})
