import type { LeadSearch } from './lead-search.ts'

let place: LeadSearch = {}

/** Remembers the state in which the list of leads was left, until the page is reloaded. */
export function rememberPlace(search: LeadSearch): void {
  place = search
}

/** Returns the state in which the list of leads was left. */
export function rememberedPlace(): LeadSearch {
  return place
}
