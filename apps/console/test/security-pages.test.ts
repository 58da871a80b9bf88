import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterThisFile, unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { startIdentityProvider } from '@crm/testkit/identity-provider'
import { allBarriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, shownLater, type Page } from './pages.ts'

const installation = await startInstallation()
const { open, signedIn } = await openPages(installation)

const roles = (await fetch(`${installation.address}/api/settings/roles`, {
  headers: { cookie: await installation.workspace.session() },
}).then((answer) => answer.json())) as { readonly items: readonly { readonly id: string; readonly name: string }[] }
await installation.inSettings('POST', '/api/settings/users', {
  kind: 'SERVICE',
  name: 'Robot',
  roleIds: roles.items.filter(({ name }) => name === 'Administrator').map(({ id }) => id),
})

it('connects a directory: a token, a group that it sends with roles and a department, and the end of the token', async () => {
  const [department, groupName, tokenName] = [`Field service ${unique()}`, `Engineers ${unique()}`, `Okta ${unique()}`]
  await installation.workspace.department(department)
  const page = await signedIn('/settings/people')
  await page.getByRole('link', { name: 'Directory sync' }).click()
  await page.getByRole('heading', { level: 1, name: 'Directory sync' }).waitFor()
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()
  expect(address).toBe(`${installation.address}/api/scim/v2`)

  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByLabel('Name').fill(tokenName)
  await form.getByRole('combobox', { name: 'Service account' }).selectOption('Robot')
  expect(await allBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: `The token ${tokenName}` })
  const token = (await shown.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect(token).toMatch(/^scim-/)
  expect(await allBarriers(page)).toEqual([])
  await shown.getByRole('button', { name: 'I saved it' }).click()

  const send = (displayName: string) =>
    fetch(`${address}/Groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName }),
    })
  expect((await send(groupName)).status).toBe(201)
  await page.reload()
  const group = page.getByRole('table', { name: 'Groups' }).getByRole('row', { name: groupName })
  await group.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: `Edit ${groupName}` })
  await edit.getByRole('checkbox', { name: 'Member' }).check()
  await edit.getByLabel('Department').selectOption(department)
  expect(await allBarriers(page)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: new RegExp(`${groupName}.*0.*Member.*${department}`) }).waitFor()

  const row = page
    .getByRole('table', { name: 'Tokens' })
    .getByRole('row', { name: new RegExp(`${tokenName}.*Robot.*127\\.0\\.0\\.1`) })
  expect(await allBarriers(page)).toEqual([])
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke this token?' }).getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  expect((await send('Late')).status).toBe(401)
})

it('makes a key of a service account for some addresses, and replaces it by another that works beside it', async () => {
  const page = await signedIn('/settings/api-keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  const name = `Warehouse ${unique()}`
  await form.getByLabel('Name').fill(name)
  await form.getByRole('combobox', { name: 'Owner' }).selectOption('Robot')
  const addresses = form.getByRole('combobox', { name: 'Allowed addresses' })
  await addresses.fill('next door')
  await addresses.press('Enter')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('such as 192.0.2.0/24', { exact: false }).nth(1).waitFor()
  for (const _ of [1, 2]) await addresses.press('Backspace')
  await addresses.fill('127.0.0.0/8')
  await addresses.press('Enter')
  await form.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: `The key ${name}` })
  const key = (await made.getByLabel('API key').textContent()) ?? ''
  const works = async () =>
    (await fetch(`${installation.address}/api/me`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await works()).toBe(200)
  await made.getByRole('button', { name: 'I saved it' }).click()

  await page.reload()
  const row = page.getByRole('row', { name: new RegExp(`${name}.*Robot.*127\\.0\\.0\\.1`) })
  await row.getByRole('button', { name: 'Rotate' }).click()
  const rotate = page.getByRole('dialog', { name: 'Replace this key?' })
  await rotate.getByLabel('The old key still works for').fill('24')
  expect(await allBarriers(page)).toEqual([])
  await rotate.getByRole('button', { name: 'Rotate' }).click()
  await made.getByRole('button', { name: 'I saved it' }).click()
  await expect.poll(() => page.getByRole('row', { name }).count()).toBe(2)
  expect(await works()).toBe(200)
})

/** How often the page asks how the sending goes. */
const askedEveryMs = 5_000

it('sends the audit log to a program, says what went wrong, and which entry is the newest that was taken', async () => {
  let status = 500
  const credentials: (string | undefined)[] = []
  const archive = createServer((request, response) => {
    credentials.push(request.headers.authorization)
    request.resume().on('end', () => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  await once(archive, 'listening')
  afterThisFile(() => void archive.close())

  const page = await signedIn('/settings/audit-log', { at: await startInstallation(), ownClock: true })
  const panel = page.getByRole('region', { name: 'Send the log to a program' })
  await panel.getByLabel('Address').fill(`http://127.0.0.1:${(archive.address() as AddressInfo).port}/log`)
  await panel.getByLabel('Header name').fill('Authorization')
  await panel.getByLabel('Header value', { exact: true }).fill('Bearer archive')
  await panel.getByRole('button', { name: 'Save' }).click()
  await shownLater(page, panel.getByText('Not taken'), askedEveryMs)
  await panel.getByText('Next try').waitFor()
  await expect.poll(() => panel.getByLabel('Header value', { exact: true }).inputValue()).toBe('')
  expect(await allBarriers(page)).toEqual([])

  status = 204
  await panel.getByRole('button', { name: 'Save' }).click()
  await shownLater(page, panel.getByText(/^Number \d+/), askedEveryMs)
  expect(new Set(credentials)).toEqual(new Set(['Bearer archive']))
  await panel.getByRole('switch', { name: 'Send entries' }).uncheck()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Off', { exact: true }).waitFor()
})

/** Does what saves a file, and returns its text. */
async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await file.path(), 'utf8')
}

it('saves what is kept about a contact, says what an erasure changes, and erases it once the address is typed', async () => {
  const lastName = `Pepperstone${unique()}`
  const email = `ada@${lastName}.example`.toLowerCase()
  await installation.call('POST', '/api/leads', { firstName: 'Ada', lastName })
  const { data: contact } = (await installation.call('POST', '/api/contacts', {
    firstName: 'Ada',
    lastName,
    email,
  })) as { readonly data: { readonly id: string } }
  const page = await signedIn(`/contacts/${contact.id}`)
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  expect(await saved(page, () => act('Export personal data'))).toContain(email)

  await act('Erase personal data')
  const dialog = page.getByRole('dialog', { name: 'Erase personal data?' })
  await dialog.getByText('Contacts', { exact: true }).waitFor()
  await dialog.getByRole('group', { name: 'the same name' }).getByRole('link').waitFor()
  const confirm = dialog.getByLabel('Email address of the person')
  await confirm.fill('somebody@else.example')
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await dialog.getByText('This is not the email address').waitFor()
  expect(await allBarriers(page)).toEqual([])
  await confirm.fill(email)
  await dialog.getByRole('button', { name: 'Erase' }).click()
  const outcome = page.getByRole('dialog', { name: 'Personal data erased' })
  await outcome.getByText('Contacts', { exact: true }).waitFor()
  await outcome.getByRole('group', { name: 'the same name' }).getByRole('link').waitFor()
  expect(await allBarriers(page)).toEqual([])
  await outcome.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  await expect(installation.call('GET', `/api/contacts/${contact.id}`)).rejects.toThrow('404')
})

it('gives people their own data, and erases those who have left', async () => {
  const { id, email } = await installation.workspace.employee({ roles: ['Member'] })
  const own = await signedIn('/settings/security', { as: { id } })
  const exportButton = own.getByRole('region', { name: 'Your data' }).getByRole('button', { name: 'Export my data' })
  expect(await saved(own, () => exportButton.click())).toContain(email)

  await installation.inSettings('PATCH', `/api/settings/users/${id}`, { status: 'TERMINATED' })
  const page = await signedIn('/settings/people')
  const row = page.getByRole('row', { name: email })
  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Erase personal data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase personal data?' })
  await dialog.getByLabel('Email address of the person').fill(email)
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await page.getByRole('dialog', { name: 'Personal data erased' }).getByRole('button', { name: 'Done' }).click()
  await row.waitFor({ state: 'detached' })
})

it('links an account at a provider, confirms a change there, signs in with it, and unlinks it', async () => {
  const slug = `corp${unique()}`
  const name = `Corporate ${slug}`
  const provider = await startIdentityProvider([`${installation.address}/api/auth/sso/${slug}/callback`], [])
  afterThisFile(() => provider.close())
  provider.people.set('grace', { email: 'grace@corp.example', email_verified: true })
  await installation.inSettings('POST', '/api/settings/identity-providers', {
    slug,
    name,
    issuer: provider.issuer,
    ...provider.client,
    domains: [],
    provisioning: 'LINK',
  })
  const { id } = await installation.workspace.employee({ roles: ['Administrator'] })
  const page = await signedIn('/settings/security', { as: { id } })
  const atProvider = async (there: Page) => {
    const login = there.locator('input[name="login"]')
    const consent = there.getByRole('button', { name: 'Continue' })
    await login.or(consent).first().waitFor()
    if (await login.isVisible()) {
      await login.fill('grace')
      await there.locator('input[name="password"]').fill('any')
      await there.getByRole('button', { name: 'Sign-in' }).click()
      await there.waitForURL((url) => url.origin !== new URL(provider.issuer).origin || !url.pathname.includes('login'))
    }
    await consent.click()
  }

  const panel = page.getByRole('region', { name: 'Linked accounts' })
  await panel.getByRole('button', { name: `Link ${name}` }).click()
  await atProvider(page)
  await panel.getByRole('row', { name: new RegExp(`${name}.*grace@corp\\.example`) }).waitFor()
  expect(await allBarriers(page)).toEqual([])

  // An hour later, a change asks for a proof; the provider gives it in a window of its own.
  const late = await signedIn('/settings/api-keys', { as: { id }, since: new Date(Date.now() - 2 * 3_600_000) })
  await late.getByRole('button', { name: 'New API key' }).click()
  const form = late.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Nightly')
  await form.getByRole('button', { name: 'Create key' }).click()
  const proof = late.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByRole('button', { name: 'Use the password' }).waitFor()
  expect(await allBarriers(late)).toEqual([])
  const [there] = await Promise.all([
    late.waitForEvent('popup'),
    proof.getByRole('button', { name: `Continue with ${name}` }).click(),
  ])
  await atProvider(there)
  await late.getByRole('dialog', { name: 'The key Nightly' }).waitFor()

  const visitor = await open()
  await visitor.goto('/sign-in?next=/settings/security')
  await visitor.getByRole('link', { name: `Continue with ${name}` }).click()
  await atProvider(visitor)
  const linked = visitor.getByRole('region', { name: 'Linked accounts' })
  await linked.getByRole('button', { name: 'Unlink' }).click()
  await linked.getByRole('button', { name: `Link ${name}` }).waitFor()
})
