// What a real spreadsheet makes of our exports comes back as it went out.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await ownApi()
const { app, call, newWorkspace } = api
const jobs = await jobsUnderTest(api)
const moving = movingInto(api, jobs)
type Workspace = Awaited<ReturnType<typeof newWorkspace>>

const office = '/usr/bin/soffice'
const run = promisify(execFile)

/** Opens a file in LibreOffice, set to a language, and saves it in the same form. */
async function saved(content: Uint8Array, ending: string, language: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'office-'))
  try {
    const profile = join(folder, 'profile')
    await mkdir(join(profile, 'user'), { recursive: true })
    await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settingsFor(language))
    await writeFile(join(folder, `contacts.${ending}`), content)
    // UTF-8 with a comma, every column as the program takes it by itself.
    const filter = ending === 'csv' ? ['--infilter=CSV:44,34,76,1'] : []
    const out = ending === 'csv' ? 'csv:Text - txt - csv (StarCalc):44,34,76,1' : ending
    const args = ['--headless', ...filter, '--convert-to', out, '--outdir', join(folder, 'out')]
    await run(office, [
      `-env:UserInstallation=${pathToFileURL(profile).href}`,
      ...args,
      join(folder, `contacts.${ending}`),
    ])
    return new Uint8Array(await readFile(join(folder, 'out', `contacts.${ending}`)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const settingsFor = (language: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${language}</value></prop></item>
</oor:items>`

async function withContacts(): Promise<Workspace> {
  const workspace = await newWorkspace()
  const { key } = await workspace.apiKey()
  const post = async (path: string, body: object) => {
    const made = await call({ method: 'POST', path, key, body }, workspace)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.data.id as string
  }
  const companyId = await post('/api/companies', { name: '007 Works' })
  await post('/api/contacts', {
    firstName: 'Jürgen',
    lastName: 'Łódź-İlker',
    email: 'j@harbour.example',
    emails: ['b@harbour.example', 'c@harbour.example'],
    phone: '+4930123456',
    phones: ['+4930654321', '+493099'],
    birthday: '1990-04-03',
    address: { line1: '1/2', postalCode: '01067', city: 'Dresden', country: 'Germany' },
    messengers: [{ type: 'SIGNAL', handle: '+4917012345' }],
    description: 'Two lines,\nand "quotes"; =1+1',
    companyId,
    tags: ['vip', '3-4'],
  })
  await post('/api/contacts', { lastName: '-12', email: 'n@harbour.example', jobTitle: '1.5', phone: '+12125550123' })
  await post('/api/contacts', { lastName: 'TRUE', email: 't@harbour.example', jobTitle: '12345678901234567' })
  return workspace
}

async function exported(workspace: Workspace, format: 'CSV' | 'XLSX'): Promise<Uint8Array> {
  const cookie = await workspace.session()
  const body = { entityType: 'CONTACT', format }
  const asked = await call({ method: 'POST', path: '/api/settings/exports', cookie, body }, workspace)
  await jobs.settled()
  const url = `/api/settings/exports/${asked.body.data.id}/file`
  return (await app.inject({ method: 'GET', url, headers: { host: workspace.host, cookie } })).rawPayload
}

async function contactsOf(workspace: Workspace): Promise<object[]> {
  const { key } = await workspace.apiKey()
  return (await call({ path: '/api/contacts?sortBy=email&sortOrder=asc', key }, workspace)).body.items
}

async function broughtBack(workspace: Workspace, name: string, content: Uint8Array<ArrayBuffer>) {
  const brought = await moving.bring(workspace, [{ name, content }])
  const change = await moving.change(workspace, brought.id, {
    matchBy: ['email'],
    onDuplicate: 'UPDATE',
    defaultCountry: 'DE',
  })
  expect(change.status, JSON.stringify(change.body)).toBe(200)
  return moving.go(workspace, brought.id, 'start')
}

describe.runIf(existsSync(office)).each(['en-US', 'de-DE', 'fr-FR'])('LibreOffice in %s', (language) => {
  it('saves a workbook of contacts that changes none of them', async () => {
    const workspace = await withContacts()
    const before = await contactsOf(workspace)
    const content = await saved(await exported(workspace, 'XLSX'), 'xlsx', language)
    const { result } = await broughtBack(workspace, 'contacts.xlsx', content)
    expect(result, JSON.stringify(result)).toMatchObject({ total: 3, created: 0, failed: 0, files: [{ problems: [] }] })
    expect(await contactsOf(workspace)).toEqual(before)
  })

  it('saves a CSV of contacts whose numbers are understood', async () => {
    const workspace = await withContacts()
    const content = await saved(await exported(workspace, 'CSV'), 'csv', language)
    const { result } = await broughtBack(workspace, 'contacts.csv', content)
    expect(result, JSON.stringify(result)).toMatchObject({ total: 3, created: 0, failed: 0 })
    expect(await contactsOf(workspace)).toMatchObject([
      { phone: '+4930123456' },
      { phone: '+12125550123' },
      { lastName: 'TRUE' },
    ])
  })
})
