import type { Bytes } from '@crm/storage'
import { createHash } from 'node:crypto'

/** The size and digest of the bytes that passed through a watched stream. */
export interface Seen {
  bytes: number
  sha256(): string
}

/** Counts and digests bytes as they pass. */
export function watch(content: Bytes): { readonly content: Bytes; readonly seen: Seen } {
  const hash = createHash('sha256')
  let digest: string | undefined
  const seen: Seen = { bytes: 0, sha256: () => (digest ??= hash.digest('hex')) }
  const passing = async function* (): Bytes {
    for await (const piece of content) {
      hash.update(piece)
      seen.bytes += piece.byteLength
      yield piece
    }
  }
  return { content: passing(), seen }
}

/** Reads a stream to its end for its size and digest. */
export async function digestOf(content: Bytes): Promise<Seen> {
  const watched = watch(content)
  for await (const _ of watched.content);
  return watched.seen
}

export async function textOf(content: Bytes): Promise<string> {
  return Buffer.concat(await Array.fromAsync(content)).toString('utf8')
}

/** Works on all items, `atOnce` of them at a time; the first failure ends it. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const queue = [...items].values()
  const outcomes = await Promise.allSettled(
    Array.from({ length: atOnce }, async (_, worker) => {
      for (const item of queue) await work(item, worker)
    }),
  )
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
