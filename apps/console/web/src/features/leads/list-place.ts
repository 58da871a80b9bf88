import type { ListAddress } from '../../records/list/list-address.ts'

let place: ListAddress = {}

/** Remembers the state in which the list of leads was left, until the page is reloaded. */
export function rememberPlace(search: ListAddress): void {
  place = search
}

/** Returns the state in which the list of leads was left. */
export function rememberedPlace(): ListAddress {
  return place
}
