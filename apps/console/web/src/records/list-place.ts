import { useEffect } from 'react'
import { forgetsWithPerson } from '../base/forget.ts'
import type { ListAddress } from './list/list-address.ts'
import { usePageCommand } from './page-commands.ts'
import type { RecordPlace } from './record-place.ts'

/** The state in which the list of a kind was left. */
interface ListPlace {
  readonly address: ListAddress
  /** The records in the order of the list. */
  readonly ids: readonly string[]
}

const places = new Map<string, ListPlace>()
forgetsWithPerson(() => places.clear())
const nowhere: ListPlace = { address: {}, ids: [] }

/** Remembers the state of a list until the page is reloaded. */
export function useListPlace(entityType: string, address: ListAddress, ids: readonly string[]): void {
  useEffect(() => {
    const { peek: _peek, ...rest } = address
    places.set(entityType, { address: rest, ids })
  })
}

/** Returns the address of a list as it was left. */
export function addressOfList(entityType: string): ListAddress {
  return (places.get(entityType) ?? nowhere).address
}

/** Offers the keys that lead from a record to its neighbours in the list from which the person came. */
export function useNeighbours({ entityType, entityId }: RecordPlace, go: (id: string) => void): void {
  const { ids } = places.get(entityType) ?? nowhere
  const at = ids.indexOf(entityId)
  const goTo = (id: string | undefined) => at >= 0 && id !== undefined && (() => go(id))
  usePageCommand('nextRecord', goTo(ids[at + 1]))
  usePageCommand('previousRecord', goTo(ids[at - 1]))
}
