import { createHash } from 'node:crypto'
import { migrationFileBytesMax, migrationFilesMax, type TransferredEntity } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { kindOf } from '@crm/model'
import { migrationFileKey, type Storage } from '@crm/storage'
import type * as tables from '@crm/tables'
import type { PackedFile, PackedTables } from '@crm/tables'
import { leaveContents } from '../../domain/files/leaving-contents.repository.ts'
import type { CrmContext } from '../../platform/context.ts'
import { requireStorage } from '../../records/quotas.ts'
import { updateImport, type ImportRow } from './imports.repository.ts'
import { problemPlan } from './moving.analysis.ts'
import { calledBy, fileTitle } from './moving.proposals.ts'
import { beginFile, forgetFile, type FilePlan, type MigrationKey } from './moving.repository.ts'
import { countingBytes } from './transfers.bytes.ts'

type Reader = Pick<typeof tables, 'readPacked' | 'titleKey'>

const namedMax = 20

/** An archive of a migration, with the files that stand beside it. */
export interface ArrivedArchive {
  readonly work: MigrationKey
  readonly row: ImportRow
  readonly files: readonly ImportRow[]
  readonly packed: PackedTables
}

/**
 * Lets the tables of an archive stand beside it as files of their own, as many as a migration takes. Returns the plan of what
 * is left of the archive: none where all of it came.
 */
export async function unpack(
  tx: Transaction,
  context: CrmContext,
  storage: Storage,
  { work, row: archive, files, packed }: ArrivedArchive,
  kinds: readonly TransferredEntity[],
  reader: Reader,
): Promise<FilePlan | null> {
  const room = migrationFilesMax - (files.length - 1)
  const fitting = oneFolder(packed.tables, kinds, reader).filter(({ bytes }) => bytes <= migrationFileBytesMax)
  const taken = fitting.slice(0, room)
  await requireStorage(
    tx,
    context.workspace,
    taken.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  for (const [at, { path }] of taken.entries()) {
    const id = idOfPacked(archive.id, path, at)
    const counted = { bytes: 0 }
    await beginFile(
      tx,
      work,
      {
        employeeId: archive.employeeId,
        fileName: nameOf(path),
        position: archive.position,
        createdAt: archive.createdAt,
      },
      id,
    )
    const key = migrationFileKey({ workspaceId: work.workspaceId, id })
    await storage.write(key, countingBytes(reader.readPacked(packed.bytes, path), counted))
    await updateImport(tx, { workspaceId: work.workspaceId, id }, counted)
  }
  const left = [...packed.tables.filter((file) => !taken.includes(file)).map(({ path }) => path), ...packed.others]
  if (left.length > 0) return problemPlan({ code: 'LEFT_OUT', values: { files: named(left) } })
  await forgetFile(tx, archive)
  await leaveContents(tx, [{ workspaceId: work.workspaceId, key: migrationFileKey(archive) }], context.at)
  return null
}

function named(paths: readonly string[]): string {
  const more = paths.length > namedMax ? [`… ${paths.length - namedMax}`] : []
  return [...paths.slice(0, namedMax), ...more].join(', ').toWellFormed()
}

/**
 * Returns the tables of the folder in which most are called like a kind of record, those that are called so first: what lies in other folders of an
 * archive hangs on its records, such as the files of people.
 */
function oneFolder(
  tables: readonly PackedFile[],
  kinds: readonly TransferredEntity[],
  reader: Reader,
): readonly PackedFile[] {
  const known = kinds.flatMap((entityType) => kindOf(entityType) ?? [])
  const words = kinds.flatMap((entityType) => calledBy(entityType, reader))
  const names = new Set([...words, ...known.flatMap(({ stem, plural }) => [stem, plural].map(reader.titleKey))])
  const titleOf = ({ path }: PackedFile): string => fileTitle(nameOf(path), reader)
  const isNamed = (file: PackedFile): boolean => names.has(titleOf(file))
  const isCalled = (file: PackedFile): boolean => words.some((word) => ` ${titleOf(file)}`.includes(` ${word}`))
  const folders = [...Map.groupBy(tables, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1)).values()]
  const [most = []] = folders.toSorted(
    (one, other) => other.filter(isCalled).length - one.filter(isCalled).length || other.length - one.length,
  )
  const rank = (file: PackedFile): number => (isNamed(file) ? 0 : isCalled(file) ? 1 : 2)
  return most.toSorted((one, other) => rank(one) - rank(other))
}

const nameOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .slice(0, 255)
    .toWellFormed()

/** A worker that begins again writes the same contents to the same places; the ids are in the order of the files. */
function idOfPacked(archiveId: string, path: string, at: number): string {
  const ofPath = createHash('sha256').update(path).digest('hex')
  return `${archiveId.slice(0, 24)}${at.toString(16).padStart(4, '0')}${ofPath.slice(0, 8)}`
}
