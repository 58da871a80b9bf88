import { unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { barriersInBothThemes } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { call, inSettings, address } = installation
const { signedIn } = await openPages(installation)

interface Made {
  readonly data: { readonly id: string; readonly key: string }
}

const scopes = ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD']
const makeKey = async (name: string, control: object) =>
  ((await inSettings('POST', '/api/settings/api-keys', { name, scopes, ...control })) as Made).data
const createLead = async (lastName: string) => ((await call('POST', '/api/leads', { lastName })) as Made).data.id
const readLead = async (id: string) => (await call('GET', `/api/leads/${id}`)) as { data: { lastName: string } }

/** Sends a write as an agent does; the answer says what became of it. */
async function asAgent(key: string, method: string, path: string, body?: object) {
  const answer = await fetch(new URL(path, address), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as { data: { proposalId: string; comment?: string } } }
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })

it.each([1280, 390])(
  'shows what an agent would change, and does it once somebody approves (%i wide)',
  async (width) => {
    const [name, agent] = [`Noether ${unique()}`, `Claude ${unique()}`]
    const { key } = await makeKey(agent, { writes: 'PROPOSE' })
    const id = await createLead(name)
    const first = await asAgent(key, 'PATCH', `/api/leads/${id}`, { companyName: 'Göttingen' })
    const second = await asAgent(key, 'PATCH', `/api/leads/${id}`, { lastName: 'Emmy' })
    expect([first.status, second.status]).toEqual([202, 202])
    const page = await signedIn('/inbox', { viewport: { width, height: 800 } })
    await page
      .getByRole('listitem')
      .filter({ hasText: `2 changes by ${agent} wait` })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: 'Proposals', level: 1 }).waitFor()
    const about = panel(page, `Lead ${name}`)
    await about.getByText(`Proposed by ${agent} for Ada Admin`).first().waitFor()
    await about.getByText('Göttingen').waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await about.getByRole('button', { name: `Approve all of Lead ${name}` }).click()
    await about.waitFor({ state: 'detached' })
    expect((await readLead(id)).data).toMatchObject({ lastName: 'Emmy', companyName: 'Göttingen' })
  },
)

it('rejects with a reason that the agent reads', async () => {
  const { key } = await makeKey('Careless', { writes: 'PROPOSE' })
  const id = await createLead('Keeper')
  const { body } = await asAgent(key, 'DELETE', `/api/leads/${id}`)
  const page = await signedIn('/settings/proposals')
  const about = panel(page, 'Lead Keeper')
  await about.getByText('Deletion').waitFor()
  await about.getByRole('button', { name: 'Reject Lead Keeper' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('A customer')
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await about.waitFor({ state: 'detached' })
  const read = await asAgent(key, 'GET', `/api/proposals/${body.data.proposalId}`)
  expect(read.body.data).toMatchObject({ state: 'REJECTED', comment: 'A customer' })
  expect((await readLead(id)).data.lastName).toBe('Keeper')
})

it('sets what a key may do by itself, and shows what it used', async () => {
  const { key } = await makeKey('Website', {})
  const page = await signedIn('/settings/api-keys')
  const open = () => page.getByRole('button', { name: 'Limits Website' }).click()
  await open()
  await page.getByRole('combobox', { name: 'Its changes' }).selectOption('happen at once')
  await page.getByRole('textbox', { name: 'Changes a day' }).fill('1')
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Limits saved').waitFor()
  expect((await asAgent(key, 'POST', '/api/leads', { lastName: 'First' })).status).toBe(201)
  expect(await asAgent(key, 'POST', '/api/leads', { lastName: 'Second' })).toMatchObject({
    status: 403,
    body: { code: 'BUDGET_EXCEEDED' },
  })
  await page.reload()
  await open()
  await page.getByText('Used today: 1').waitFor()
})
