import type { Page } from '@crm/db'

/** Returns the envelope of a paged list (docs/guide/lists.md). */
export function pageOf<Item>(
  { items, total }: Page<Item>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  return { items: [...items], total, page, pageSize, pageCount: Math.ceil(total / pageSize) }
}

/** Returns the offset of the first row of a page. */
export function offsetOf({ page, pageSize }: { readonly page: number; readonly pageSize: number }): number {
  return (page - 1) * pageSize
}
