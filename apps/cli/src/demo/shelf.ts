import { newId, schema } from '@crm/db'
import { storageKey, type Storage } from '@crm/storage'
import { once } from '../base/once.ts'
import { createHash } from 'node:crypto'
import { add, type Shelf } from './story.ts'

/** Makes an empty shelf in front of the storage of the CRM API. */
export function createShelf(storage: Storage): Shelf {
  const contents = new Map<string, Uint8Array>()
  return {
    add: async (story, { name, contentType, content, links, by, at }) => {
      const id = newId()
      const about = { name, contentType, size: content.length }
      const sha256 = createHash('sha256').update(content).digest('hex')
      const made = { departmentId: by.departmentId, createdById: by.id, createdAt: at, updatedAt: at }
      await add(story, schema.files, [{ id, ...about, sha256, uploadedById: by.id, ...made }])
      await add(
        story,
        schema.fileLinks,
        links.map((link) => ({ fileId: id, ...link, createdAt: at })),
      )
      const told = { kind: 'FILE_ADDED', at, by, data: about, relatedType: 'FILE', relatedId: id }
      story.history.add(...links.map((link) => ({ ...link, ...told })))
      contents.set(storageKey({ workspaceId: story.workspaceId, id }), content)
      return id
    },
    keep: async () => {
      for (const [key, content] of contents) await storage.write(key, once(content))
    },
    discard: async () => void (await Promise.all([...contents.keys()].map((key) => storage.remove(key)))),
  }
}
