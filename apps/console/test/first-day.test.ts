import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { go, openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

describe('the first day', () => {
  it('asks the administrator who they are, what the company is, and takes the zone of the browser', async () => {
    const own = await startInstallation()
    const page = await signedIn('/welcome', { at: own })
    const form = page.getByRole('form', { name: 'Welcome' })
    await form.getByLabel('First name').fill('Grace')
    await form.getByLabel('Last name').fill('Hopper')
    await form.getByLabel('Company name').fill('Hopper & Co')
    await form.getByLabel('Street').fill('Hauptstr. 1')
    await form.getByLabel('City').fill('Dresden')
    await form.getByLabel('Time format').selectOption('2:30 pm')
    await form.getByText('Dates and numbers look like this').waitFor()
    // picture: welcome
    await form.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(await own.call('GET', '/api/me')).toMatchObject({ name: 'Grace Hopper', workspace: { timeFormat: '12h' } })
    expect(await own.call('GET', '/api/organization')).toMatchObject({
      data: { name: 'Hopper & Co', address: { line1: 'Hauptstr. 1', city: 'Dresden' } },
    })
  })

  it('says what each role sees and changes, before people are invited', async () => {
    const page = await signedIn('/settings/people')
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.getByText(/Sees everyone’s .*contacts/).waitFor()
    await dialog.getByText(/Changes .*department/).waitFor()
    // picture: invite
    await dialog.getByLabel('Role').selectOption('Read only')
    await dialog.getByText('Changes nothing.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('tells an administrator who sees nothing, and whoever sees nothing why, and whom to ask', async () => {
    const own = await startInstallation()
    const access = [{ entityType: 'CONTACT', VIEW: 'DEPARTMENT_TREE', UPDATE: 'OWN', DELETE: 'OWN' } as const]
    const noor = await own.workspace.employee({ grant: { permissions: ['VIEW_CONTACT'], access } })
    await own.inSettings('PATCH', `/api/settings/users/${noor.id}`, { firstName: 'Noor', lastName: 'New' })
    await own.call('POST', '/api/contacts', { lastName: 'Somebody' })
    const page = await signedIn('/settings/people', { at: own })
    await page.getByText('Noor New sees no record of the team').waitFor()
    // picture: people
    const theirs = await signedIn('/contacts', { at: own, as: noor })
    await theirs.getByText('No contacts that you can see').waitFor()
    await theirs.getByText(/you are in none\..* can change that\./).waitFor()
    // picture: empty theirs
  })

  it('says before saving who may not see what is given to them', async () => {
    const own = await startInstallation()
    const { id } = await own.workspace.employee({ grant: { permissions: ['VIEW_LEAD'] } })
    await own.inSettings('PATCH', `/api/settings/users/${id}`, { firstName: 'Blind', lastName: 'Spot' })
    const page = await signedIn('/deals', { at: own })
    await page.getByRole('button', { name: 'New deal' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New deal' })
    await dialog.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: 'Blind Spot' }).click()
    await dialog.getByText('Blind Spot may not see any deals.').waitFor()
    // picture: blind
  })

  it('says before saving whose records one does not see oneself', async () => {
    const own = await startInstallation()
    const access = [{ entityType: 'DEAL', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' } as const]
    const permissions = ['VIEW_DEAL', 'CREATE_DEAL', 'UPDATE_DEAL', 'VIEW_EMPLOYEE']
    const noor = await own.workspace.employee({ grant: { permissions, access } })
    const { id } = await own.workspace.employee({ roles: ['Administrator'] })
    await own.inSettings('PATCH', `/api/settings/users/${id}`, { firstName: 'Far', lastName: 'Away' })
    const page = await signedIn('/deals', { at: own, as: noor })
    await page.getByRole('button', { name: 'New deal' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New deal' })
    await dialog.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: 'Far Away' }).click()
    await dialog.getByText('You do not see the deals of Far Away.').waitFor()
    // picture: beyond
  })

  it('says whom a mention does not reach, and shares a task with them', async () => {
    const own = await startInstallation()
    const access = [{ entityType: 'TASK', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' } as const]
    const { id } = await own.workspace.employee({ grant: { permissions: ['VIEW_TASK'], access } })
    await own.inSettings('PATCH', `/api/settings/users/${id}`, { firstName: 'Noor', lastName: 'New' })
    const made = (await own.call('POST', '/api/tasks', { title: 'Look' })) as { data: { id: string } }
    const page = await signedIn(`/tasks/${made.data.id}`, { at: own })
    const note = page.getByRole('textbox', { name: 'Note', exact: true })
    await note.pressSequentially('@Noor')
    await page.getByRole('option', { name: 'Noor New' }).click()
    await page.getByText('No access to this record, so no notification: Noor New').waitFor()
    await page.getByRole('button', { name: 'Add Noor New as a member' }).click()
    await page.getByText('Noor New added').waitFor()
    await expect.poll(() => own.call('GET', `/api/tasks/${made.data.id}`)).toMatchObject({ data: { memberIds: [id] } })
  })
})

describe('taking it out', () => {
  it('offers a list for spreadsheets and for programs, and everything as one file', async () => {
    await installation.call('POST', '/api/deals', {
      name: 'Boat',
      items: [{ name: 'Oars', quantity: '2', unitPrice: '50.00' }],
    })
    const page = await signedIn('/deals?layout=table')
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    await dialog.getByText('1 record exported').waitFor()
    // picture: export
    const fetched = async (name: string): Promise<Buffer> => {
      const link = dialog.getByRole('link', { name })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      return readFile(await download.path())
    }
    expect((await fetched('Download for spreadsheets (XLSX)')).subarray(0, 2).toString()).toBe('PK')
    expect((await fetched('Download Items (CSV)')).toString()).toContain('Oars')
    await page.keyboard.press('Escape')
    await go(page, '/settings/export')
    await page.getByRole('button', { name: 'Export everything' }).click()
    const link = page.getByRole('link', { name: 'Download the zip file' })
    await link.waitFor()
    // picture: everything
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
  })
})
