import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const { call, ...installation } = await startInstallation()
const { signedIn } = await openPages({ call, ...installation })

await call('POST', '/api/leads', { lastName: 'Hot one', temperature: 'HOT' })
await call('POST', '/api/leads', { lastName: 'Cold one', temperature: 'COLD' })

const save = async (body: object) =>
  ((await call('POST', '/api/saved-filters', body)) as { data: { id: string } }).data.id

it('a filter that was saved by parameters is a view with conditions, exported as it is and deleted', async () => {
  const query = { createdFrom: '2000-01-01', temperature: 'HOT' }
  const id = await save({ name: 'From the fair', entityType: 'LEAD', query })
  const page = await signedIn('/leads')
  await page.getByText('2 leads', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'From the fair' }).click()
  await page.getByText('1 lead found').waitFor()
  await page.getByRole('list', { name: 'Filters' }).getByText('Temperature is Hot').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe(`?view=${id}`)
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  await page.getByRole('dialog', { name: 'Export' }).getByText('1 record exported').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Manage views' }).click()
  await page.getByRole('button', { name: 'Delete From the fair' }).click()
  await page.getByText('No saved views yet').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('tab', { name: 'From the fair' }).click()
  await page.getByRole('list', { name: 'Filters' }).getByText('Temperature is Hot').waitFor()
  await page.getByRole('tab', { name: 'All' }).click()
  await page.getByText('2 leads', { exact: true }).waitFor()
})

it('a view gets another name, is shared, and opens the list for everybody', async () => {
  await save({ name: 'Warm', entityType: 'LEAD', query: { temperature: 'COLD' } })
  const page = await signedIn('/leads')
  await page.getByText('2 leads', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Manage views' }).click()
  await page.getByRole('button', { name: 'Edit Warm' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit view' })
  await editing.getByRole('textbox', { name: 'View name' }).fill('Cold ones')
  await editing.getByRole('radio', { name: 'Everyone' }).check()
  await editing.getByRole('checkbox', { name: 'Lists open with this view for everyone' }).check()
  await editing.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Views' }).getByText('Default').waitFor()
  await page.keyboard.press('Escape')

  const member = await installation.workspace.employee({ roles: ['Manager'] })
  const theirs = await signedIn('/leads', { as: member })
  await theirs.getByText('1 lead found').waitFor()
  await expect.poll(() => theirs.getByRole('tab', { name: 'Cold ones' }).getAttribute('aria-selected')).toBe('true')
  await theirs.getByRole('tab', { name: 'All' }).click()
  await theirs.getByText('2 leads', { exact: true }).waitFor()
  await expect.poll(() => new URL(theirs.url()).search).toBe('?view=all')
  await theirs.getByRole('button', { name: 'Manage views' }).click()
  await theirs.getByText('Cold ones').last().waitFor()
  await expect.poll(() => theirs.getByRole('button', { name: 'Edit Cold ones' }).count()).toBe(0)
})

it('conditions stand in groups of their own', async () => {
  const query = {
    filter: JSON.stringify({
      and: [
        { field: 'lastName', op: 'contains', value: 'one' },
        { or: [{ field: 'temperature', op: 'is', value: 'HOT' }] },
      ],
    }),
  }
  const id = await save({ name: 'Grouped', entityType: 'LEAD', query })
  const page = await signedIn(`/leads?view=${id}`)
  await page.getByText('1 lead found').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter' })
  const group = dialog.getByRole('group', { name: 'Group of conditions' })
  await group.getByRole('button', { name: 'Add to group' }).click()
  const second = group.getByRole('group', { name: 'Condition', exact: true }).nth(1)
  await second.getByRole('combobox', { name: 'Field' }).fill('Temperature')
  await page.getByRole('option', { name: 'Temperature', exact: true }).click()
  await second.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Cold', exact: true }).click()
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await group.nth(1).getByRole('button', { name: 'Remove group' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('2 leads found').waitFor()
  await expect
    .poll(() => JSON.parse(new URL(page.url()).searchParams.get('f') ?? '{}').and?.[1]?.or)
    .toEqual([
      { field: 'temperature', op: 'is', value: 'HOT' },
      { field: 'temperature', op: 'is', value: 'COLD' },
    ])
})

it('an address with a view that is gone shows everything, and says so', async () => {
  const page = await signedIn('/leads?savedFilterId=01890000-0000-7000-8000-000000000000')
  await page.getByRole('alert').getByText('This view no longer exists').waitFor()
  await page.getByText('2 leads', { exact: true }).waitFor()
})
