import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKey, requireKey, unfinished } from './keys.ts'
import { MissingContentError, type Bytes, type Storage } from './storage.ts'

/** Keeps bytes in files below a folder; a file appears under its name only when it is complete and on the disk. */
export function createDirectoryStorage(root: string): Storage {
  const pathOf = (key: string): string => {
    requireKey(key)
    return join(root, ...key.split('/'))
  }
  return {
    write: async (key, content) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await writeWhole(partOf(path), content)
        await rename(partOf(path), path)
      } catch (error) {
        await rm(partOf(path), { force: true })
        throw error
      }
    },

    read: async (key, range) => {
      const path = pathOf(key)
      await stat(path).catch((cause: unknown) => {
        throw isMissing(cause) ? new MissingContentError({ cause }) : cause
      })
      return createReadStream(path, range && { start: range.start, end: range.end })
    },

    remove: async (key) => {
      const path = pathOf(key)
      await Promise.all([rm(path, { force: true }), rm(partOf(path), { force: true })])
    },

    list: (folder) => keysBelow(root, folder),
  }
}

/** Returns the path of a file that is not complete yet. */
function partOf(path: string): string {
  return `${path}${unfinished}`
}

/** Returns the keys of all complete files below some folders, folder by folder. */
async function* keysBelow(root: string, folder: string): AsyncIterable<string> {
  const found = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of found) {
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* keysBelow(root, key)
    else if (entry.isFile() && isKey(key)) yield key
  }
}

async function writeWhole(path: string, content: Bytes): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const piece of content) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
