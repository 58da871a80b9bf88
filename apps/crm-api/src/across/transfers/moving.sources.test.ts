import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { ownApi, type CallAnswer } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto, type BroughtFile } from '../../../test/moving.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { call, newWorkspace } = api
const moving = movingInto(api, jobs)
type Workspace = Awaited<ReturnType<typeof newWorkspace>>

async function list(workspace: Workspace, path: string): Promise<CallAnswer['body'][]> {
  const { key } = await workspace.apiKey()
  return (await call({ path, key }, workspace)).body.items
}

async function zip(name: string, files: Readonly<Record<string, string>>): Promise<BroughtFile> {
  const archive = new ZipFile()
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path)
  archive.end()
  return { name, content: new Uint8Array(await buffer(archive.outputStream)) }
}

const columnsOf = ({ columns }: { columns: { header: string; field: string | null }[] }) =>
  Object.fromEntries(columns.map(({ header, field }) => [header, field]))

it('the tables of an archive come in as if they had been brought one by one', async () => {
  const workspace = await newWorkspace()
  const archive = await zip('export.zip', {
    'export/people.csv': 'First Name,Last Name,Email,Company\nAda,Lovelace,ada@engines.example,Engines\n',
    'export/companies.csv': 'Company name,Domain\nEngines,engines.example\n',
  })
  const brought = await moving.bring(workspace, [archive])
  expect(brought.plan.files).toMatchObject([
    { name: 'people.csv', kind: 'CONTACT', rows: 1, problem: null },
    { name: 'companies.csv', kind: 'COMPANY', rows: 1, problem: null },
  ])
  expect(brought.plan.files[1].bytes).toBe(44)
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result).toMatchObject({ created: 2, failed: 0 })
  expect(await list(workspace, '/api/contacts?expand=company')).toMatchObject([{ company: { name: 'Engines' } }])
  expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 2 })
})

it('what an archive holds beyond its tables, and beyond twenty files, is named', async () => {
  const workspace = await newWorkspace()
  const others = Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`a${n}.csv`, 'Name\nx\n']))
  const archive = await zip('all.zip', { ...others, 'contacts.csv': 'Last Name\nByron\n', 'read me.pdf': '%PDF' })
  const brought = await moving.bring(workspace, [archive])
  const files = brought.plan.files as { name: string }[]
  expect(files.find(({ name }) => name === 'all.zip')).toMatchObject({
    kind: null,
    problemCode: 'LEFT_OUT',
    problemValues: { files: 'a19.csv, a20.csv, a21.csv, read me.pdf' },
    problem: 'The tables of the archive stand beside it. Left out: a19.csv, a20.csv, a21.csv, read me.pdf',
  })
  expect(files).toHaveLength(21)
  expect(files).toContainEqual(expect.objectContaining({ name: 'contacts.csv', kind: 'CONTACT' }))
})

it('an export that somebody edited changes the records that it came from', async () => {
  const workspace = await newWorkspace()
  const { key } = await workspace.apiKey()
  const body = { lastName: 'Byron', phone: '+4930123456' }
  const { data: contact } = (await call({ method: 'POST', path: '/api/contacts', key, body }, workspace)).body
  const content = `id,lastName,phone\n${contact.id},Lovelace,+4930123456\n`
  const brought = await moving.bring(workspace, [{ name: 'contacts.csv', content }])
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result).toMatchObject({ created: 0, updated: 1, failed: 0 })
  expect(await list(workspace, '/api/contacts')).toMatchObject([
    { id: contact.id, lastName: 'Lovelace', externalId: null, externalSource: null },
  ])
})

it('an archive without tables is a file with a problem', async () => {
  const workspace = await newWorkspace()
  const brought = await moving.bring(workspace, [await zip('photos.zip', { 'one.jpg': 'x' })])
  expect(brought).toMatchObject({ state: 'ANALYSED', plan: { files: [{ problemCode: 'NO_TABLES_INSIDE' }] } })
})

it('an address book comes in as contacts', async () => {
  const workspace = await newWorkspace()
  const card = (...lines: readonly string[]) => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`
  const content =
    card(
      'VERSION:3.0',
      'N:Müller;Jürgen;;;',
      'ORG:Acme;Sales',
      'TEL;TYPE=CELL:+49 170 1234567',
      'TEL;TYPE=WORK:+49 30 123456',
      'EMAIL:jm@acme.example',
      'EMAIL;TYPE=HOME:private@acme.example',
      'ADR:;;Main Street 1;Berlin;;10115;Germany',
      'BDAY:19850403',
      'CATEGORIES:VIP',
      'NOTE:Likes tea',
    ) + card('VERSION:2.1', 'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C5=81uksza;Ewa', 'TEL;CELL:+48123456789')
  const brought = await moving.bring(workspace, [{ name: 'my phone.vcf', content }])
  expect(brought.plan.files).toMatchObject([{ kind: 'CONTACT', rows: 2, headerLine: 0 }])
  expect(columnsOf(brought.plan.files[0])).toMatchObject({
    'First name': 'firstName',
    'Last name': 'lastName',
    Company: 'companyId',
    Email: 'email',
    'Other email': 'emails',
    Phone: 'phone',
    'Other phone': 'phones',
    Street: 'address.line1',
    Birthday: 'birthday',
    Tags: 'tags',
    Notes: 'description',
  })
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result).toMatchObject({ created: 2, failed: 0, files: [{ problems: [] }] })
  expect(await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=asc&expand=company')).toMatchObject([
    { firstName: 'Ewa', lastName: 'Łuksza', phone: '+48123456789' },
    {
      firstName: 'Jürgen',
      lastName: 'Müller',
      phone: '+491701234567',
      phones: ['+4930123456'],
      email: 'jm@acme.example',
      emails: ['private@acme.example'],
      birthday: '1985-04-03',
      address: { line1: 'Main Street 1', city: 'Berlin', postalCode: '10115' },
      tags: ['VIP'],
      company: { name: 'Acme' },
    },
  ])
})

it.each(['ods', 'xls'])('deals come in from a workbook of LibreOffice, .%s', async (ending) => {
  const workspace = await newWorkspace()
  const bytes = await readFile(
    new URL(`../../../../../packages/tables/fixtures/libreoffice.${ending}`, import.meta.url),
  )
  const brought = await moving.bring(workspace, [{ name: `Deals.${ending}`, content: new Uint8Array(bytes) }])
  expect(brought.plan.files).toMatchObject([{ kind: 'DEAL', sheet: 'Deals', sheets: ['Deals', 'Other'], rows: 1 }])
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result, JSON.stringify(done.result)).toMatchObject({ created: 1, failed: 0 })
  expect(await list(workspace, '/api/deals')).toMatchObject([
    { name: 'Jürgen Ωmega', amount: '12500.50', currency: 'EUR', expectedCloseDate: '2024-04-03' },
  ])
})
