let isFirst = true

/** Returns whether a page is the first one since the console was loaded. */
export function isFirstPage(): boolean {
  const was = isFirst
  isFirst = false
  return was
}
