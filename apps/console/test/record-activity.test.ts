import { unique } from '@crm/testkit'
import { testPassword } from '@crm/testkit'
import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { call } = installation
const { signedIn } = await openPages(installation)

const create = async (path: string, body: object) => ((await call('POST', path, body)) as { data: { id: string } }).data
const { id } = await create('/api/deals', { name: 'Lighthouse', amount: '1500' })
await call('PATCH', `/api/deals/${id}`, { name: 'The lighthouse', probability: 20 })
await call('PATCH', `/api/deals/${id}`, { probability: 30 })
const path = `/deals/${id}`
/** A picture of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const activity = (page: Page) => page.getByRole('region', { name: 'Activity', exact: true })
const entries = (page: Page) => page.getByRole('list', { name: 'Activity feed' }).getByRole('listitem')
const compose = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'New activity' }).getByRole('tab', { name, exact: true }).click()

it('is one feed of notes, calls, tasks, files and changes, added in one place', async () => {
  const page = await signedIn(path)
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Ask again in spring')
  await page.keyboard.press('Control+Enter')
  await entries(page).filter({ hasText: 'commented' }).getByText('Ask again in spring').waitFor()
  await compose(page, 'Call')
  await page.getByLabel('Subject').fill('First call')
  await page.getByRole('button', { name: 'Log a call or meeting' }).click()
  await entries(page).filter({ hasText: 'logged a call' }).getByRole('link', { name: 'First call' }).waitFor()
  await compose(page, 'Task')
  await activity(page).getByLabel('Task title').fill('Send the plan')
  await page.keyboard.press('Enter')
  await entries(page).filter({ hasText: 'added the task' }).getByRole('link', { name: 'Send the plan' }).waitFor()
  await compose(page, 'File')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ])
  await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') })
  await entries(page).filter({ hasText: 'plan.txt' }).first().waitFor()
  await entries(page).getByRole('button', { name: 'Complete Send the plan' }).click()
  await entries(page).filter({ hasText: 'completed' }).first().waitFor()
  await create('/api/tasks', { title: 'Sign the plan', links: [{ entityType: 'DEAL', entityId: id }] })
  const note = entries(page).filter({ hasText: 'Ask again in spring' })
  await note.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('In April')
  await page.getByRole('button', { name: 'Save reply' }).click()
  await entries(page).getByText('In April').waitFor()
  await note.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit note' }).fill('Ask again in summer')
  await page.getByRole('form', { name: 'Edit note' }).getByRole('button', { name: 'Save' }).click()
  await entries(page).getByText('Ask again in summer').waitFor()
  await page.getByRole('heading', { name: 'Today', level: 3 }).waitFor()
  await page.getByLabel('Show in activity').selectOption('Notes')
  await expect.poll(() => entries(page).count()).toBe(2)
})

it('says once what one person changed within ten minutes', async () => {
  const page = await signedIn(path)
  await page.getByLabel('Show in activity').selectOption('Changes')
  const changed = entries(page).filter({ hasText: 'changed Name and Probability' })
  await expect.poll(() => changed.count()).toBe(1)
  await expect
    .poll(() => changed.getByRole('listitem').allTextContents())
    .toEqual([expect.stringContaining('The lighthouse'), expect.stringContaining('30')])
})

it('names every object of a change, shows custom fields as their workspace calls them, and merged records', async () => {
  const options = [{ value: 'n', label: 'North' }]
  await installation.inSettings('POST', '/api/settings/custom-fields', {
    entityType: 'COMPANY',
    key: 'regn',
    label: 'Region',
    type: 'SELECT',
    options,
  })
  const industry = await create('/api/industries', { name: 'Shipbuilding' })
  const [kept, gone] = [
    await create('/api/companies', { name: 'Yard' }),
    await create('/api/companies', { name: 'Old yard' }),
  ]
  const change = (body: object) => call('PATCH', `/api/companies/${kept.id}`, body)
  await change({ industryId: industry.id })
  await create('/api/crm/comments', { entityType: 'COMPANY', entityId: kept.id, body: 'Between two changes' })
  await change({ customFields: { regn: 'n' } })
  await call('POST', `/api/companies/${kept.id}/merge`, { sourceIds: [gone.id] })
  const page = await signedIn(`/companies/${kept.id}`)
  await entries(page).filter({ hasText: 'merged Old yard into this company' }).waitFor()
  await entries(page).filter({ hasText: 'changed Industry to Shipbuilding' }).waitFor()
  await entries(page).filter({ hasText: 'changed Region to North' }).waitFor()
  await expect.poll(() => activity(page).textContent()).not.toMatch(/another record|[\da-f]{8}-[\da-f]{4}/)
})

it('shows what was sent, said and added: first lines, the result of a call, a picture', async () => {
  const { id: company } = await create('/api/companies', { name: 'Content' })
  const links = [{ entityType: 'COMPANY', entityId: company }]
  await create('/api/activities', { type: 'CALL', subject: 'Prices', outcome: 'They order in May', links })
  await create('/api/emails', { to: ['a@b.example'], subject: 'Our offer', message: 'Dear Rita\n\nas agreed.', links })
  const upload = (filename: string, contentType: string, contentBase64: string) =>
    create('/api/files/upload', { filename, contentType, contentBase64, companyId: company })
  await upload('photo.png', 'image/png', onePixel)
  await upload('terms.txt', 'text/plain', Buffer.from('x'.repeat(2_048)).toString('base64'))
  const page = await signedIn(`/companies/${company}`)
  await entries(page).filter({ hasText: 'logged a call Prices' }).getByText('They order in May').waitFor()
  await entries(page).filter({ hasText: 'sent an email Our offer' }).getByText('as agreed.').waitFor()
  await entries(page).filter({ hasText: 'terms.txt' }).getByText('2 KB').waitFor()
  const picture = entries(page).getByRole('img', { name: 'photo.png' })
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1)
})

it('is told in the language of the page, on Home too', async () => {
  const name = `Werft ${unique()}`
  const { id: company } = await create('/api/companies', { name })
  await create('/api/tasks', { title: 'Anrufen', links: [{ entityType: 'COMPANY', entityId: company }] })
  const page = await signedIn('/', { locale: 'de-DE' })
  const latest = page.getByRole('region', { name: 'Aktivität', exact: true }).getByRole('listitem')
  await latest.filter({ hasText: `hat die Aufgabe Anrufen hinzugefügt · ${name}` }).waitFor()
  await latest
    .filter({ hasText: `hat das Unternehmen ${name} angelegt` })
    .getByRole('link', { name })
    .click()
  const german = page.getByRole('list', { name: 'Aktivitäten' }).getByRole('listitem')
  await german.filter({ hasText: 'hat dieses Unternehmen angelegt' }).waitFor()
})

it('sends an email to the contact of the deal, and keeps it in the feed', async () => {
  const contact = await create('/api/contacts', { lastName: 'Newcomer', email: 'rita@example.com' })
  await call('PATCH', path.replace('/deals', '/api/deals'), { contactId: contact.id })
  const page = await signedIn(path)
  await compose(page, 'Email')
  const to = activity(page).getByRole('textbox', { name: 'To', exact: true })
  await expect.poll(() => to.inputValue()).toBe('rita@example.com')
  await to.fill('rita')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Our offer')
  await page.getByRole('textbox', { name: 'Message' }).fill('Dear Rita')
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect.poll(() => to.getAttribute('aria-invalid')).toBe('true')
  await to.fill('rita@example.com, boss@example.com')
  await page.getByRole('combobox', { name: 'Attachments' }).click()
  await page.getByRole('option', { name: /^plan.txt/ }).click()
  const drop = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File(['A price'], 'price.txt')); return data })()`,
  )
  await activity(page).getByTestId('drop-files').dispatchEvent('drop', { dataTransfer: drop })
  await activity(page)
    .getByText(/^price.txt/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Send email' }).click()
  await entries(page).filter({ hasText: 'sent an email' }).getByRole('link', { name: 'Our offer' }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
  await page.getByRole('tab', { name: 'Emails' }).click()
  const emails = page.getByRole('list', { name: 'Emails' }).getByRole('listitem')
  await emails
    .filter({ hasText: 'To rita@example.com, boss@example.com' })
    .getByRole('link', { name: 'Our offer' })
    .waitFor()
  await page.getByRole('button', { name: 'Write an email' }).click()
  await page.getByRole('form', { name: 'New email' }).getByLabel('Subject').waitFor()
  await page.getByRole('tab', { name: 'Activity', exact: true }).click()
  await compose(page, 'Email')
  const { items } = (await call('GET', `/api/activities?type=EMAIL&entityType=DEAL&entityId=${id}`)) as {
    items: { participants: unknown[] }[]
  }
  expect(items).toMatchObject([{ participants: [{ email: 'rita@example.com' }, { email: 'boss@example.com' }] }])
  await entries(page).filter({ hasText: 'sent an email' }).getByRole('button', { name: 'Reply' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Re: Our offer')
  await expect.poll(() => to.inputValue()).toBe('rita@example.com, boss@example.com')
  expect(JSON.stringify(items)).toMatch(/plan\.txt.*price\.txt/)
})

it('keeps what was being written when the session ends', async () => {
  const page = await signedIn(path)
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  await note.fill('مرحبا, not yet sent')
  // Whichever request comes first finds out that the session has ended: here it is the one of the note.
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname !== '/api/crm/comments',
    (route) => route.abort(),
  )
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.unrouteAll()
  await expect.poll(() => new URL(page.url()).searchParams.get('next')).toBe(path)
  await page.getByLabel('Email').fill(installation.workspace.adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await expect.poll(() => note.inputValue()).toBe('مرحبا, not yet sent')
})

it('shows every tab at 1280 px, and keeps the title in sight', async () => {
  const page = await signedIn(path, { viewport: { width: 1280, height: 500 } })
  const tabs = page.getByRole('tablist', { name: 'Record' })
  await tabs.waitFor()
  expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
  await entries(page).last().waitFor()
  const isInSight = () =>
    page.evaluate(
      'scrollTo(0, document.body.scrollHeight), scrollY > 100 && document.querySelector("h1").getBoundingClientRect().top >= 0',
    )
  await expect.poll(isInSight).toBe(true)
})

it('keeps nobody out in dark', async () => {
  const page = await signedIn(path, { colorScheme: 'dark' })
  await entries(page).first().waitFor()
  await page.getByRole('region', { name: 'Next step' }).getByRole('link').waitFor()
  expect(await allBarriers(page)).toEqual([])
})
