import type { LeadSearch } from './lead-search.ts'

let place: LeadSearch = {}

/** Keeps in mind how the list of leads was left, until the page is loaded anew. */
export function rememberPlace(search: LeadSearch): void {
  place = search
}

/** How the list of leads was left. */
export function rememberedPlace(): LeadSearch {
  return place
}
