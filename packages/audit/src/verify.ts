import { firstPrevHash, hashOf, isErased, privateHashOf, type ProvenEntry } from './entry.ts'

/** Why a chain is broken: an entry was changed, one is missing, a personal part was changed, or the end is missing. */
type BreakReason = 'HASH' | 'GAP' | 'PRIVATE' | 'TRUNCATED'

/** What a verification has found. */
export interface Verification {
  readonly ok: boolean
  readonly entries: number
  readonly head: { readonly seq: number; readonly hash: string; readonly at: string } | null
  /** The place of the first entry that is wrong or missing. */
  readonly brokenAt: number | null
  readonly reason: BreakReason | null
}

/** What is known of a chain besides its entries. */
export interface ChainFacts {
  /** Heads that were signed earlier, or are kept elsewhere. */
  readonly heads?: readonly { readonly seq: number; readonly hash: string }[]
  /** Whether the entries may begin later than with the first one, as the part of a chain does. */
  readonly isPart?: boolean
  /** Retention is removing the entries up to this one. */
  readonly prunedSeq?: number
}

/** Verifies entries in the order of the chain; null: something that is no entry. It keeps no entry in memory. */
export async function verifyChain(
  entries: AsyncIterable<ProvenEntry | null> | Iterable<ProvenEntry | null>,
  { heads = [], isPart = false, prunedSeq = 0 }: ChainFacts = {},
): Promise<Verification> {
  const known = Map.groupBy(heads, ({ seq }) => seq)
  const erased: number[] = []
  const named: [number, number][] = []
  let first: ProvenEntry | undefined
  let last: ProvenEntry | undefined
  let pruned: { seq: number; hash: string } | undefined
  let count = 0
  const broken = (seq: number, reason: BreakReason): Verification => ({
    ok: false,
    entries: count,
    head: headOf(last),
    brokenAt: seq,
    reason,
  })
  for await (const entry of entries) {
    if (entry === null) return broken((last?.seq ?? 0) + 1, 'HASH')
    const seq = last ? (last.seq ?? 0) + 1 : (entry.seq ?? 0)
    if (entry.seq !== seq) return broken(seq, 'GAP')
    const prevHash = last?.hash ?? entry.prevHash ?? ''
    if (entry.prevHash !== prevHash || entry.hash !== hashOf(entry, prevHash)) return broken(seq, 'HASH')
    if (seq === 1 && prevHash !== firstPrevHash) return broken(seq, 'HASH')
    if (known.get(seq)?.some(({ hash }) => hash !== entry.hash)) return broken(seq, 'HASH')
    if (isErased(entry)) erased.push(seq)
    else if (entry.privateSalt === null || entry.privateHash !== privateHashOf(entry, entry.privateSalt))
      return broken(seq, 'PRIVATE')
    if (entry.action.endsWith('.erased')) named.push(...rangesOf(entry.data['auditEntries']))
    if (entry.action === 'audit.pruned') pruned = newerOf(pruned, entry.data)
    first ??= entry
    last = entry
    count += 1
  }
  if (first && !isPart && !beginsRightly(first, pruned, prunedSeq)) return broken((first.seq ?? 0) - 1, 'GAP')
  const unnamed = erased.find((seq) => !named.some(([from, to]) => from <= seq && seq <= to))
  if (unnamed !== undefined) return broken(unnamed, 'PRIVATE')
  const end = last?.seq ?? 0
  if (heads.some(({ seq }) => seq > end)) return broken(end + 1, 'TRUNCATED')
  return { ok: true, entries: count, head: headOf(last), brokenAt: null, reason: null }
}

function headOf(entry: ProvenEntry | undefined): Verification['head'] {
  return entry ? { seq: entry.seq ?? 0, hash: entry.hash ?? '', at: entry.at } : null
}

/** Whether the first entry is the first of all, follows what an entry says was removed, or is about to be removed itself. */
function beginsRightly(
  { seq, prevHash }: ProvenEntry,
  pruned: { readonly seq: number; readonly hash: string } | undefined,
  prunedSeq: number,
): boolean {
  if (seq === null || seq === 1) return seq === 1
  if (!pruned) return false
  return pruned.seq === seq - 1 ? pruned.hash === prevHash : seq <= pruned.seq && pruned.seq <= prunedSeq
}

function newerOf(
  known: { seq: number; hash: string } | undefined,
  { seq, hash }: Readonly<Record<string, unknown>>,
): { seq: number; hash: string } | undefined {
  if (typeof seq !== 'number' || typeof hash !== 'string') return known
  return known && known.seq > seq ? known : { seq, hash }
}

function rangesOf(value: unknown): [number, number][] {
  return Array.isArray(value) ? value.filter((range): range is [number, number] => Array.isArray(range)) : []
}
