import { useNavigate, useSearch } from '@tanstack/react-router'

/** Returns the open tab of a page from its address; an unknown tab stands for the first one. */
export function useTab(tabs: readonly string[]): readonly [string, (tab: string) => void] {
  const { tab }: { readonly tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first = ''] = tabs
  const open = (next: string) =>
    void navigate({
      to: '.',
      // The allowed parts of an address depend on the page, and every page keeps the parts that it knows.
      search: ((known: object) => ({ ...known, tab: next === first ? undefined : next })) as never,
      replace: true,
      resetScroll: false,
    })
  return [typeof tab === 'string' && tabs.includes(tab) ? tab : first, open]
}
