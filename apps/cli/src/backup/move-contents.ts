import { MissingContentError, type Storage } from '@crm/storage'
import { digestOf, inParallel } from './content.ts'
import { CommandError } from '../base/output.ts'

const atOnce = 4

/** The figures of a move. */
export interface Moved {
  readonly contents: number
  /** The number of contents that were not there before. */
  readonly copied: number
  readonly removed: number
}

/**
 * Copies every content to another storage and compares it there; contents that are there already are compared alone.
 *
 * Content never changes under its key, so services may go on with the old storage meanwhile.
 * @param removes whether a content leaves the old storage when it is equal in the new one
 */
export async function moveContents(from: Storage, to: Storage, removes: boolean): Promise<Moved> {
  const keys = await Array.fromAsync(from.list(''))
  const there = new Set(await Array.fromAsync(to.list('')))
  const moved = { contents: 0, copied: 0, removed: 0 }
  await inParallel(keys, atOnce, async (key) => {
    const wanted = await digestIn(from, key)
    // The service deleted it meanwhile.
    if (wanted === undefined) return
    if (!there.has(key)) {
      await to.write(key, await from.read(key))
      moved.copied++
    }
    if ((await digestIn(to, key)) !== wanted)
      throw new CommandError(`${key} differs in the two places; remove it from the new one and run this again`)
    moved.contents++
    if (!removes) return
    await from.remove(key)
    moved.removed++
  })
  return moved
}

async function digestIn(storage: Storage, key: string): Promise<string | undefined> {
  try {
    return (await digestOf(await storage.read(key))).sha256()
  } catch (error) {
    if (error instanceof MissingContentError) return undefined
    throw error
  }
}
