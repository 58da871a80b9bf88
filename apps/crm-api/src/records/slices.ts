import { InSlices } from '@crm/contract'
import type { LaterRow } from '@crm/db'

/** How many characters of rows an answer holds in memory at once (docs/decisions/large-answers.md). */
export const sliceSizeMax = 512 * 1024

interface List<Item> {
  readonly items: Item[]
}

/** Returns the answer of a list; when not all of its rows were read, the others follow in slices. */
export function inSlices<Item, Body extends List<Item>>(
  body: Body,
  later: readonly LaterRow[] | undefined,
  read: (ids: readonly string[]) => Promise<Body['items']>,
): Body | InSlices<Body> {
  return later && later.length > 0
    ? new InSlices(
        body,
        slicesOf(later).map((rows) => () => read(rows.map(({ id }) => id))),
      )
    : body
}

/** Cuts rows into slices of the allowed size; a row that is larger by itself is a slice of its own. */
export function slicesOf<Part extends { readonly size: number }>(parts: readonly Part[]): Part[][] {
  const slices: Part[][] = []
  let left = 0
  for (const part of parts) {
    if (part.size > left || slices.length === 0) {
      slices.push([])
      left = sliceSizeMax
    }
    slices.at(-1)?.push(part)
    left -= part.size
  }
  return slices
}
