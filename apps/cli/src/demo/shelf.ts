import { newId, schema, type Executor } from '@crm/db'
import { storageKey, type Storage } from '@crm/storage'
import { once } from '../base/once.ts'
import { createHash } from 'node:crypto'
import type { History, RecordRef } from './history.ts'
import type { Member } from './members.ts'
import type { Place } from './place.ts'

/** A file that somebody has uploaded for some records. */
export interface DemoFile {
  readonly name: string
  /** The content type that the bytes themselves show. */
  readonly contentType: string
  readonly content: Uint8Array
  readonly links: readonly RecordRef[]
  readonly by: Member
  readonly at: string
}

/** Collects the files of the demo while it is made. */
export interface Shelf {
  /** Stores the row of a file and returns its id; its bytes wait. */
  add(tx: Executor, place: Place, history: History, file: DemoFile): Promise<string>
  /** Stores the bytes of all files, or of none. */
  keep(): Promise<void>
  /** Deletes the stored bytes of files whose rows were rolled back. */
  discard(): Promise<void>
}

/** Makes an empty shelf in front of the storage of the CRM API. */
export function createShelf(storage: Storage): Shelf {
  const contents = new Map<string, Uint8Array>()
  const discard = async (): Promise<void> =>
    void (await Promise.all([...contents.keys()].map((key) => storage.remove(key))))
  return {
    add: async (tx, { workspaceId }, history, { name, contentType, content, links, by, at }) => {
      const id = newId()
      const size = content.length
      const sha256 = createHash('sha256').update(content).digest('hex')
      await tx.insert(schema.files).values({
        workspaceId,
        id,
        name,
        contentType,
        size,
        sha256,
        uploadedById: by.id,
        departmentId: by.departmentId,
        createdById: by.id,
        createdAt: at,
        updatedAt: at,
      })
      await tx
        .insert(schema.fileLinks)
        .values(
          links.map(({ entityType, entityId }) => ({ workspaceId, fileId: id, entityType, entityId, createdAt: at })),
        )
      history.add(
        ...links.map((link) => ({
          ...link,
          kind: 'FILE_ADDED',
          at,
          by,
          data: { name, contentType, size },
          relatedType: 'FILE',
          relatedId: id,
        })),
      )
      contents.set(storageKey({ workspaceId, id }), content)
      return id
    },
    keep: async () => {
      for (const [key, content] of contents) await storage.write(key, once(content))
    },
    discard,
  }
}
