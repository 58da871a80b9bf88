import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isHead, isSigned, signStretch, type KeptHead, type Stretch } from './heads.ts'

const fileIn = (folder: string): string => join(folder, 'heads.ndjson')

/** Appends a signed head to `heads.ndjson` of a folder, so that a chain that was cut or written anew in the database is noticed. */
export async function keepHead(folder: string, head: KeptHead): Promise<void> {
  await mkdir(folder, { recursive: true })
  await appendFile(fileIn(folder), `${JSON.stringify(head)}\n`)
}

/** The heads that a folder keeps. */
export interface KeptHeads {
  /** Each with whether one of the given keys signed it, or a later line that says the same. */
  readonly heads: readonly (KeptHead & { readonly isProven: boolean })[]
  /** Whether a line cannot be read any more, and so says of nobody which end they had. */
  readonly hasUnreadable: boolean
}

/** Reads the heads that a folder keeps, of one workspace or of all. */
export async function readKeptHeads(folder: string, keys: readonly Buffer[], workspaceId?: string): Promise<KeptHeads> {
  const lines = (await readText(fileIn(folder))).split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(readHead)
  const known = read.filter((head) => head !== null)
  const heads = known.filter((head) => workspaceId === undefined || head.workspaceId === workspaceId)
  const proven = new Set(heads.filter((head) => isSigned(keys, head, head.signature)).map(nameOf))
  return {
    heads: heads.map((head) => ({ ...head, isProven: proven.has(nameOf(head)) })),
    hasUnreadable: known.length < read.length,
  }
}

/**
 * Signs the kept heads anew that an earlier key has signed, so that they count when that key is gone; returns their number. Lines are only
 * added, since services add theirs at the same time.
 * @param keys the one in use first
 */
export async function renewKeptHeads(folder: string, keys: readonly Buffer[]): Promise<number> {
  const [current] = keys
  if (!current) return 0
  const { heads } = await readKeptHeads(folder, keys)
  const renewed = new Set(heads.filter((head) => isSigned([current], head, head.signature)).map(nameOf))
  let count = 0
  for (const { isProven, ...head } of heads) {
    if (!isProven || renewed.has(nameOf(head))) continue
    renewed.add(nameOf(head))
    await keepHead(folder, { ...head, signature: signStretch(current, head) })
    count += 1
  }
  return count
}

/** Whether kept heads prove a stretch of a chain. */
export function provesStretch({ heads }: KeptHeads, stretch: Stretch): boolean {
  return heads.some((head) => head.isProven && nameOf(head) === nameOf(stretch))
}

function nameOf({ workspaceId, firstSeq, seq, hash, at }: Stretch): string {
  return [workspaceId, firstSeq, seq, hash, at].join('\n')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function readHead(line: string): KeptHead | null {
  try {
    const head = JSON.parse(line) as unknown
    if (!isHead(head)) return null
    const { workspaceId, firstSeq } = head as Partial<KeptHead>
    return typeof workspaceId === 'string' && typeof firstSeq === 'number' ? { ...head, workspaceId, firstSeq } : null
  } catch {
    return null
  }
}
