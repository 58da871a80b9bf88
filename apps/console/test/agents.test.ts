import { unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { barriersInBothThemes } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { call, inSettings, address } = installation
const { signedIn } = await openPages(installation)

interface Made {
  readonly data: { readonly id: string; readonly key: string }
}

/** Sends a write as an agent does, and returns its record. */
async function asAgent(key: string, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(new URL(path, address), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.status).toBeLessThan(300)
  return ((await answer.json()) as { data: { id: string } }).data.id
}

it.each([1280, 390])('tells what an agent did, shows what an undo would do, and undoes it (%i wide)', async (width) => {
  const [agent, name, made] = [`Claude ${unique()}`, `Noether ${unique()}`, `Made ${unique()}`]
  const scopes = ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD', 'MANAGE_REFERENCE_DATA']
  const { key } = ((await inSettings('POST', '/api/settings/api-keys', { name: agent, scopes })) as Made).data
  const lead = ((await call('POST', '/api/leads', { lastName: name })) as Made).data.id
  await asAgent(key, 'PATCH', `/api/leads/${lead}`, { companyName: 'Göttingen', lastName: `${name} E` })
  const other = await asAgent(key, 'POST', '/api/leads', { lastName: made })
  const industry = `Algebra ${unique()}`
  const industryId = await asAgent(key, 'POST', '/api/industries', { name: industry })
  await call('POST', '/api/companies', { name: `Springer ${unique()}`, industryId })
  await call('PATCH', `/api/leads/${lead}`, { companyName: 'Bryn Mawr' })

  const page = await signedIn('/settings/agents', { viewport: { width, height: 800 } })
  await page.getByRole('button', { name: `Limits ${agent}` }).waitFor()
  await page.getByRole('combobox', { name: 'Agent' }).selectOption(agent)
  await page.getByRole('button', { name: `Look at ${agent}` }).click()
  const dialog = page.getByRole('dialog', { name: `Session of ${agent}` })
  await dialog.getByText(`created Lead ${made}`).waitFor()
  await dialog.getByText('Göttingen').waitFor()
  await dialog.getByText(`created Industry ${industry}`).waitFor()
  await dialog.getByRole('button', { name: 'Undo this session …' }).click()
  await dialog.getByText('2 records are as they were before.').waitFor()
  await dialog.getByText(`Lead ${name} E: Company`).waitFor()
  await dialog
    .getByRole('listitem')
    .filter({ hasText: `Industry ${industry}` })
    .first()
    .waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await call('GET', `/api/leads/${other}`)).toMatchObject({ data: { lastName: made } })
  await dialog.getByRole('button', { name: 'Undo now' }).click()
  await page.getByText('The session was undone').first().waitFor()
  await dialog.getByRole('button', { name: 'Undo now' }).waitFor({ state: 'detached' })
  expect(await call('GET', `/api/leads/${lead}`)).toMatchObject({
    data: { lastName: name, companyName: 'Bryn Mawr' },
  })
  expect(await call('GET', `/api/leads?search=${encodeURIComponent(made)}`)).toMatchObject({ total: 0 })
})
