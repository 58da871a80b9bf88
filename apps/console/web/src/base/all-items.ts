/** Returns every item of a paged list that is always short. */
export async function allItems<Item>(
  readPage: (page: number) => Promise<{ readonly items: readonly Item[]; readonly pageCount: number }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page += 1) {
    const { items: some, pageCount } = await readPage(page)
    items.push(...some)
    if (page >= pageCount) return items
  }
}
