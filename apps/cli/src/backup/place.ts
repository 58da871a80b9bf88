import { bucketOf, createStorage, type Storage } from '@crm/storage'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CliConfig } from '../config.ts'
import { CommandError } from '../base/output.ts'
import { manifestName } from './manifest.ts'

/** The files of one backup. */
export type BackupFolder = Storage

/** The place where backups are kept, each in a folder named by its id. */
export interface BackupPlace {
  /** Returns the address of a backup, as commands take and print it. */
  pathOf(id: string): string
  /** Begins a backup. The backup appears under its id after `finish`; `abandon` removes it completely. */
  begin(id: string): Promise<{ readonly folder: BackupFolder; finish(): Promise<void>; abandon(): Promise<void> }>
  open(id: string): Promise<BackupFolder>
  /** The ids of all complete backups. */
  ids(): Promise<readonly string[]>
  remove(id: string): Promise<void>
}

const bucketAddress = /^s3:\/\/([^/]+)(?:\/(.*))?$/

/** Opens a folder of this machine, or `s3://BUCKET/PREFIX` of the service that the S3 variables name. */
export function openPlace(address: string, config: CliConfig): BackupPlace {
  const [, bucket, prefix = ''] = bucketAddress.exec(address) ?? []
  return bucket === undefined ? folderPlace(address) : bucketPlace(bucket, prefix.replace(/(?<!\/)\/+$/, ''), config)
}

/** Splits the address of one backup into its place and its id. */
export function openBackup(address: string, config: CliConfig): { readonly place: BackupPlace; readonly id: string } {
  const path = address.replace(/(?<!\/)\/+$/, '')
  if (!/^s3:\/\/[^/]+$/.test(path)) return { place: openPlace(dirname(path), config), id: basename(path) }
  throw new CommandError('Name one backup: s3://BUCKET/PREFIX/ID')
}

const unfinished = 'unfinished-'

function folderPlace(root: string): BackupPlace {
  const storageAt = (name: string): Promise<Storage> => createStorage({ directory: join(root, name) })
  return {
    pathOf: (id) => join(root, id),
    begin: async (id) => {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const name = `${unfinished}${id}`
      return {
        folder: await storageAt(name),
        finish: () => rename(join(root, name), join(root, id)),
        abandon: () => rm(join(root, name), { recursive: true, force: true }),
      }
    },
    open: storageAt,
    ids: async () => {
      const names = await readdir(root).catch(() => [])
      const whole = await Promise.all(
        names.map(async (name) => !name.startsWith(unfinished) && (await isThere(join(root, name, manifestName)))),
      )
      return names.filter((_, at) => whole[at]).toSorted()
    },
    remove: (id) => rm(join(root, id), { recursive: true, force: true }),
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** A bucket cannot rename: a backup there is complete as soon as its manifest exists. */
function bucketPlace(name: string, prefix: string, config: CliConfig): BackupPlace {
  const bucket = bucketOf({ ...config, S3_BUCKET: name })
  if (bucket === undefined) throw new CommandError('Set the S3 variables to reach a bucket')
  const opened = createStorage({ directory: '', bucket })
  const keyOf = (id: string): string => (prefix === '' ? id : `${prefix}/${id}`)
  const removeAll = async (id: string): Promise<void> => {
    const storage = await opened
    // Without its manifest, the remainder of an interrupted removal is no longer a backup.
    await storage.remove(`${keyOf(id)}/${manifestName}`)
    for await (const key of storage.list(keyOf(id))) await storage.remove(key)
  }
  return {
    pathOf: (id) => `s3://${name}/${keyOf(id)}`,
    begin: async (id) => ({
      folder: below(await opened, keyOf(id)),
      finish: async () => undefined,
      abandon: () => removeAll(id),
    }),
    open: async (id) => below(await opened, keyOf(id)),
    ids: async () => {
      const ids: string[] = []
      const skipped = prefix === '' ? 0 : prefix.length + 1
      for await (const key of (await opened).list(prefix)) {
        const [id = '', file, ...rest] = key.slice(skipped).split('/')
        if (file === manifestName && rest.length === 0) ids.push(id)
      }
      return ids.toSorted()
    },
    remove: removeAll,
  }
}

/** The part of a storage whose keys begin with a folder. */
function below(storage: Storage, folder: string): Storage {
  const keyOf = (key: string): string => (key === '' ? folder : `${folder}/${key}`)
  return {
    write: (key, content) => storage.write(keyOf(key), content),
    read: (key, range) => storage.read(keyOf(key), range),
    remove: (key) => storage.remove(keyOf(key)),
    list: async function* (inner) {
      for await (const key of storage.list(keyOf(inner))) yield key.slice(folder.length + 1)
    },
  }
}
