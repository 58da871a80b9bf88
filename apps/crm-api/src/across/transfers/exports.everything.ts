import { scopeOf, schema, type Database } from '@crm/db'
import { permissionRequired } from '@crm/errors'
import { kindOf } from '@crm/model'
import { storageKey, type Storage } from '@crm/storage'
import { and, asc, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import { changedKinds } from '../undo/undoable-kinds.ts'
import type { ExportLayout } from './exports.columns.ts'
import { exportedKind, exportedLayout, storedHeader, storedLines, type ExportedKind } from './exports.kinds.ts'
import { existing } from '../../records/owned/list.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import type { CrmContext } from '../../platform/context.ts'
import { selectAll } from './exports.repository.ts'
import { shapePart, shapeRecords, type ShapedFile } from './exports.shape.ts'
import { cellOf } from './transfers.cells.ts'
import { csvLines } from './transfers.csv.ts'

const { comments, files, timeline } = schema

/** The entity type of files, which have a sight of their own. */
const fileEntity = 'FILE'

/**
 * Refuses to take everything out to people who do not see everything. Kinds whose module is switched off are left out.
 * @throws ApiError ACCESS_DENIED
 */
export async function requireEverything(context: CrmContext): Promise<readonly string[]> {
  const { workspace, caller, db } = context
  const known = [...(await changedKinds(db, context)).map(({ kind }) => kind.entityType), fileEntity]
  const shown = known.filter((entityType) => !isSwitchedOff(context, `VIEW_${entityType}`))
  const hidden = shown.find((entityType) => scopeOf(workspace.id, caller, entityType)?.level !== 'ALL')
  if (hidden !== undefined) throw permissionRequired(`VIEW_${hidden}`)
  return shown.filter((entityType) => entityType !== fileEntity)
}

interface Making {
  readonly db: Database
  readonly context: CrmContext
  readonly storage: Storage
  readonly counted: { rows: number }
}

/** Writes everything of a workspace as a zip, one entry after the other: tables by kind, comments, histories, files, and a page about it. */
export async function* everythingOf(making: Making): AsyncGenerator<Uint8Array> {
  const yazl = await import('yazl')
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as unknown as Readable
  // An entry whose content fails ends the archive; without it, the reader would wait for ever.
  zip.on('error', (error: Error) => output.destroy(error))
  const told: Told[] = []
  const add = (name: string, about: string, content: () => AsyncIterable<Uint8Array>): void => {
    told.push({ name, about })
    zip.addReadStreamLazy(name, (done) => done(null, Readable.from(content())))
  }
  await addRecords(making, add)
  add('comments.csv', 'Comments on records', () => tableOf(making, comments, commentColumns))
  add('history.csv', 'What was changed, when and by whom', () => tableOf(making, timeline, historyColumns))
  await addFiles(making, zip, told)
  zip.addBuffer(Buffer.from(pageAbout(making.context, told)), 'index.html')
  zip.end()
  yield* output as AsyncIterable<Uint8Array>
}

interface Told {
  readonly name: string
  readonly about: string
}

type Add = (name: string, about: string, content: () => AsyncIterable<Uint8Array>) => void

async function addRecords({ db, context, counted }: Making, add: Add): Promise<void> {
  for (const entityType of await requireEverything(context)) {
    const exported = await exportedKind(context, entityType)
    const layout = await exportedLayout(db, context, exported.kind)
    const header = storedHeader(layout)
    const stem = kindOf(entityType)?.stem ?? entityType.toLowerCase()
    const rows = (file: ShapedFile, count: boolean) => shaped({ db, context, exported, layout, file, counted, count })
    const main = shapeRecords({ ...context, db }, entityType, header, layout)
    add(`records/${stem}.csv`, kindOf(entityType)?.plural ?? stem, () => rows(main, true))
    for (const { field } of layout.parts) {
      const part = shapePart(entityType, header, layout, field)
      if (part)
        add(`records/${stem}-${field}.csv`, `${field} of ${kindOf(entityType)?.plural ?? stem}`, () =>
          rows(part, false),
        )
    }
  }
}

interface Shaping {
  readonly db: Database
  readonly context: CrmContext
  readonly exported: ExportedKind
  readonly layout: ExportLayout
  readonly file: ShapedFile
  readonly counted: { rows: number }
  readonly count: boolean
}

async function* shaped({ db, context, exported, layout, file, counted, count }: Shaping): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\uFEFF')
  yield await csvLines([file.header])
  const { kind } = exported
  for await (const rows of selectAll(db, kind, context.workspace.id, existing(kind, context.scope(kind.entityType)))) {
    if (count) counted.rows += rows.length
    yield await csvLines(await file.shape(await storedLines(db, context, exported, layout, rows)))
  }
}

const rowsAtOnce = 1_000

interface Dated {
  readonly workspaceId: PgColumn
  readonly id: PgColumn
}

const commentColumns = [
  'id',
  'entityType',
  'entityId',
  'createdAt',
  'authorName',
  'authorEmail',
  'visibility',
  'body',
  'parentId',
  'fileIds',
] as const
const historyColumns = [
  'id',
  'entityType',
  'entityId',
  'kind',
  'occurredAt',
  'actorName',
  'source',
  'changes',
  'data',
  'relatedType',
  'relatedId',
] as const

/** Writes a table of the workspace in order of ids, a thousand rows at a time. */
async function* tableOf(
  { db, context: { workspace } }: Making,
  table: typeof comments | typeof timeline,
  columns: readonly string[],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\uFEFF')
  yield await csvLines([columns])
  for (let after: string | undefined; ;) {
    const rows = await pageOf(db, table, workspace.id, after)
    if (rows.length === 0) return
    yield await csvLines(rows.map((row) => columns.map((column) => cellOf(row[column]))))
    after = rows.at(-1)?.['id'] as string
  }
}

function pageOf(
  db: Database,
  table: typeof comments | typeof timeline | typeof files,
  workspaceId: string,
  after: string | undefined,
  where?: SQL,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { id, workspaceId: of }: Dated = table
  return db
    .select()
    .from(table as typeof comments)
    .where(and(eq(of, workspaceId), after === undefined ? undefined : gt(id, after), where))
    .orderBy(asc(id))
    .limit(rowsAtOnce)
}

/** Adds the content of each file under its name, behind a part of its id where names repeat. */
async function addFiles({ db, context, storage }: Making, zip: ZipFile, told: Told[]): Promise<void> {
  const { workspace } = context
  if (isSwitchedOff(context, `VIEW_${fileEntity}`)) return
  let count = 0
  for (let after: string | undefined; ;) {
    const rows = (await pageOf(db, files, workspace.id, after, isNull(files.deletedAt))) as readonly {
      id: string
      name: string
    }[]
    for (const { id, name } of rows) {
      count += 1
      const key = storageKey({ workspaceId: workspace.id, id })
      zip.addReadStreamLazy(`files/${id.slice(-12)}-${safeName(name)}`, { compress: false }, (done) =>
        done(null, Readable.from(contentOf(storage, key))),
      )
    }
    if (rows.length < rowsAtOnce) break
    after = rows.at(-1)?.id
  }
  if (count > 0) told.push({ name: 'files/', about: `${count} files` })
}

/** Reads the content of a file; one that is gone is an empty entry, and no end of all the others. */
async function* contentOf(storage: Storage, key: string): AsyncGenerator<Uint8Array> {
  yield* await storage.read(key).catch(() => [])
}

/** Returns a name that leads nowhere else when the archive is unpacked. */
function safeName(name: string): string {
  return (
    name
      .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 150) || 'file'
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns the page that explains the archive. */
function pageAbout({ workspace, at }: CrmContext, told: readonly Told[]): string {
  const lines = told.map(
    ({ name, about }) =>
      `<tr><td><a href="${escaped(encodeURI(name))}">${escaped(name)}</a></td><td>${escaped(about)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(workspace.name)}</title>
<style>body{font:15px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem 1rem .2rem 0}</style>
<h1>${escaped(workspace.name)}</h1><p>Everything in this workspace, as it was on ${escaped(at.slice(0, 16).replace('T', ' '))} UTC.</p>
<p>Tables are CSV in UTF-8 with a comma between cells. The first line names the fields. A column whose name ends in Id holds an id; the
column behind it says its name. Several values in a cell have a semicolon between them. A file with a second name, such as
<code>invoices-items.csv</code>, has the lines of the records in the first one; its first column says to which record a line belongs.
An apostrophe before = + - @ keeps spreadsheets from taking a text for a formula. In a spreadsheet, import the columns as text: otherwise
it drops the plus and leading zeros of numbers.</p>
<table>${lines.join('')}</table></html>
`
}
