import { useNavigate, useSearch } from '@tanstack/react-router'

/** Which tab of a page is open, as its address says; a tab that is not there is the first one. */
export function useTab(tabs: readonly string[]): readonly [string, (tab: string) => void] {
  const { tab }: { readonly tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first = ''] = tabs
  const open = (next: string) =>
    void navigate({
      to: '.',
      // Which parts an address may have depends on the page, and every page keeps those that it knows.
      search: ((known: object) => ({ ...known, tab: next === first ? undefined : next })) as never,
      replace: true,
      resetScroll: false,
    })
  return [typeof tab === 'string' && tabs.includes(tab) ? tab : first, open]
}
