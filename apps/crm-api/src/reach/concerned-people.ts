import { readRightsHolders, type Transaction } from '@crm/db'
import type { RightsHolder } from '@crm/permissions'

declare const isJudged: unique symbol

/** The id of a person whose change the guard of reach judges; a change of anybody else does not compile where this is asked for. */
export type Concerned = string & { readonly [isJudged]: true }

/** The people whom a running change concerns. */
export interface ConcernedPeople {
  readonly workspaceId: string
  /** Their rights before the change; null: there was no such person. */
  readonly before: Map<string, RightsHolder | null>
  /** The people whose account or work the change uses, whether or not it changes their rights. */
  readonly used: Set<string>
}

const watched = new WeakMap<Transaction, ConcernedPeople>()

/** Lets the handler that runs in a transaction name the people whom it changes. */
export function watchPeople(tx: Transaction, workspaceId: string): ConcernedPeople {
  const people = { workspaceId, before: new Map<string, RightsHolder | null>(), used: new Set<string>() }
  watched.set(tx, people)
  return people
}

/**
 * Names people of the workspace before the handler changes them, so that the guard judges exactly these; `isUse: false`: only
 * for a change of their rights. Throws for a change that nobody judges.
 */
export async function concern(
  tx: Transaction,
  ids: readonly string[],
  { isUse = true }: { readonly isUse?: boolean } = {},
): Promise<Concerned[]> {
  const { workspaceId, before, used } = peopleOf(tx)
  if (isUse) ids.forEach((id) => used.add(id))
  const unread = ids.filter((id) => !before.has(id))
  // A person who is named again may have been changed meanwhile; what counts is how they were.
  if (unread.length > 0)
    for (const holder of await readRightsHolders(tx, workspaceId, unread)) before.set(holder.id, holder)
  const stranger = unread.find((id) => !before.has(id))
  if (stranger !== undefined) throw new Error(`${stranger} is nobody in the workspace`)
  return ids as Concerned[]
}

/** Names a person before the handler makes them. Throws for a change that nobody judges. */
export function concernNewcomer(tx: Transaction, id: string): Concerned {
  peopleOf(tx).before.set(id, null)
  return id as Concerned
}

function peopleOf(tx: Transaction): ConcernedPeople {
  const people = watched.get(tx)
  if (!people) throw new Error('Nobody judges this change of people')
  return people
}
