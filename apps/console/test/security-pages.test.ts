import { expect, it } from 'vitest'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const roles = (await fetch(`${installation.address}/api/settings/roles`, {
  headers: { cookie: await installation.workspace.session() },
}).then((answer) => answer.json())) as { readonly items: readonly { readonly id: string; readonly name: string }[] }
await installation.inSettings('POST', '/api/settings/users', {
  kind: 'SERVICE',
  name: 'Robot',
  roleIds: roles.items.filter(({ name }) => name === 'Administrator').map(({ id }) => id),
})

it('connects a directory: a token, a group that it sends with roles and a department, and the end of the token', async () => {
  await installation.workspace.department('Field service')
  const page = await signedIn('/settings/people')
  await page.getByRole('link', { name: 'Directory sync' }).click()
  await page.getByRole('heading', { level: 1, name: 'Directory sync' }).waitFor()
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()
  expect(address).toBe(`${installation.address}/api/scim/v2`)
  await page.getByText('No groups').waitFor()

  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByLabel('Name').fill('Okta')
  await form.getByRole('combobox', { name: 'Service account' }).selectOption('Robot')
  expect(await allBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'The token Okta' })
  const token = (await shown.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect(token).toMatch(/^scim-/)
  expect(await allBarriers(page)).toEqual([])
  await shown.getByRole('button', { name: 'I have stored it' }).click()

  const send = (displayName: string) =>
    fetch(`${address}/Groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName }),
    })
  expect((await send('Engineers')).status).toBe(201)
  await page.reload()
  const group = page.getByRole('table', { name: 'Groups' }).getByRole('row', { name: /Engineers/ })
  await group.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Engineers' })
  await edit.getByRole('checkbox', { name: 'Member' }).check()
  await edit.getByLabel('Department').selectOption('Field service')
  expect(await allBarriers(page)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Engineers.*0.*Member.*Field service/ }).waitFor()

  const row = page.getByRole('table', { name: 'Tokens' }).getByRole('row', { name: /Okta.*Robot.*127\.0\.0\.1/ })
  expect(await allBarriers(page)).toEqual([])
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke this token?' }).getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No tokens').waitFor()
  expect((await send('Late')).status).toBe(401)
})
