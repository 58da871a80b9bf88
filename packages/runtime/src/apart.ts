/**
 * Does work for several items together and, when that fails, for each half of them, so that only the items fail that are the cause.
 * Returns the items whose work is done.
 * @param failed hears of each item whose own work fails; an error of it ends everything
 */
export async function doApart<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  failed: (item: Item, error: unknown) => Promise<unknown> | undefined,
): Promise<readonly Item[]> {
  const [first, ...others] = items
  if (first === undefined) return []
  try {
    await work(items)
    return items
  } catch (error) {
    if (others.length === 0) {
      await failed(first, error)
      return []
    }
  }
  const middle = Math.ceil(items.length / 2)
  return [
    ...(await doApart(items.slice(0, middle), work, failed)),
    ...(await doApart(items.slice(middle), work, failed)),
  ]
}
