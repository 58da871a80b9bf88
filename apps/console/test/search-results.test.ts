import { searchTypes, type SearchType } from '@crm/contract'
import { tableOfPlainKinds, type PlainEntity } from '@crm/model'
import { plainSample, testPassword } from '@crm/testkit'
import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { open, signIn, signedIn } = await openPages(installation)

async function create(path: string, body: object): Promise<string> {
  return ((await installation.call('POST', path, body)) as { readonly data: { readonly id: string } }).data.id
}

/** Makes a record that only sessions may make. */
async function createInSession(page: Page, path: string, data: object): Promise<string> {
  const answer = await page.request.post(path, { data, headers: { origin: installation.address } })
  return ((await answer.json()) as { readonly data: { readonly id: string } }).data.id
}

const lines = [{ name: 'Work', quantity: '1', unitPrice: '10' }]

/** The functions that create a record of each type with a word in its title, or beside it. */
const makers: Readonly<Record<SearchType, (word: string, page: Page) => Promise<string>>> = {
  lead: (word) => create('/api/leads', { lastName: word }),
  contact: (word) => create('/api/contacts', { lastName: word }),
  company: (word) => create('/api/companies', { name: word }),
  deal: (word) => create('/api/deals', { name: word }),
  task: (word) => create('/api/tasks', { title: word }),
  project: (word) => create('/api/projects', { name: word }),
  file: (word) =>
    create('/api/files/upload', { filename: `${word}.txt`, contentType: 'text/plain', contentBase64: 'aGVsbG8=' }),
  activity: async (word) =>
    create('/api/activities', {
      type: 'CALL',
      subject: word,
      links: [{ entityType: 'LEAD', entityId: await create('/api/leads', { lastName: 'Caller' }) }],
    }),
  invoice: (word) => create('/api/invoices', { items: lines, notes: word }),
  quote: (word) => create('/api/quotes', { items: lines, notes: word }),
  product: (word) => create('/api/products', { name: word }),
  department: (word) => create('/api/departments', { name: word }),
  employee: (word, page) =>
    createInSession(page, '/api/settings/users', {
      email: `${word}@console.test`,
      password: testPassword,
      lastName: word,
    }),
  channel: (word, page) => createInSession(page, '/api/settings/channels', { name: word }),
  conversation: async (word, page) =>
    createInSession(page, '/api/settings/conversations', {
      channelId: await createInSession(page, '/api/settings/channels', { name: 'A room' }),
      subject: word,
      body: 'Hello',
    }),
  document: (word) => create('/api/documents', { name: word, body: 'Dear you' }),
  ...tableOfPlainKinds<{ readonly [Entity in PlainEntity as Lowercase<Entity>]: (word: string) => Promise<string> }>(
    (kind) => {
      const { path, body } = plainSample(kind)
      return [kind.entity.toLowerCase(), (word: string) => create(path, body(word))]
    },
  ),
}

it.each(searchTypes)('the address of a found %s opens a page that shows it', async (type) => {
  const page = await open()
  await signIn(page)
  const word = `needle${type}`
  const id = `${type}:${await makers[type](word, page)}`
  const { results } = (await installation.call('GET', `/api/search?q=${word}`)) as {
    readonly results: readonly { readonly id: string; readonly url: string; readonly approximate?: true }[]
  }
  // Words for other types may be similar to this one.
  expect(results.filter(({ approximate }) => !approximate)).toMatchObject([{ id }])
  await page.goto(new URL(results[0]?.url ?? '').pathname)

  await page.locator('main').getByText(word).filter({ visible: true }).first().waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await expect
    .poll(() => page.getByRole('heading', { level: 1 }).textContent())
    .not.toMatch(/could not load|not found/i)
})

it('the pages of people, departments, activities and files lead to what belongs to them', async () => {
  const leadId = await create('/api/leads', { lastName: 'Neighbour' })
  const links = [{ entityType: 'LEAD', entityId: leadId }]
  const activityId = await create('/api/activities', {
    type: 'MEETING',
    subject: 'Planned meeting',
    status: 'PLANNED',
    startAt: '2030-01-01T09:00:00Z',
    links,
  })
  const fileId = await create('/api/files/upload', {
    filename: 'terms.txt',
    contentType: 'text/plain',
    contentBase64: 'aGVsbG8=',
    links,
  })
  const parentId = await create('/api/departments', { name: 'Operations' })
  const departmentId = await create('/api/departments', { name: 'Field work', parentId })
  const page = await signedIn(`/activities/${activityId}`)
  await page.getByRole('heading', { name: 'Planned meeting', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await page.locator('main').getByText('Done', { exact: true }).first().waitFor()
  await page.getByRole('list', { name: 'Related to' }).getByRole('link', { name: 'Neighbour' }).click()
  await page.getByRole('heading', { name: 'Neighbour', level: 1 }).waitFor()
  await page
    .getByRole('list', { name: 'Activity feed' })
    .getByText('set the activity Planned meeting to Done')
    .waitFor()

  await page.goto(`/files/${fileId}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save' }).click()
  expect((await saving).suggestedFilename()).toBe('terms.txt')

  const personId = await createInSession(page, '/api/settings/users', {
    email: 'jo@console.test',
    password: testPassword,
    firstName: 'Jo',
    lastName: 'Field',
    departmentId,
  })
  await page.goto(`/departments/${parentId}`)
  await page.getByRole('list', { name: 'Departments below' }).getByRole('link', { name: 'Field work' }).click()
  await page.getByRole('list', { name: 'People' }).getByRole('link', { name: 'Jo Field' }).click()
  await page.getByRole('heading', { name: 'Jo Field', level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/people/${personId}`)
  await page.getByRole('link', { name: 'Field work' }).click()
  await page.getByRole('link', { name: 'Operations' }).waitFor()
})
