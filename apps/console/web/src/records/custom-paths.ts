import { kinds, type Kind } from '@crm/model'

/** First parts of addresses that are pages of their own, here or on the server. */
export const takenPaths: ReadonlySet<string> = new Set([
  ...Object.values<Kind>(kinds).map(({ stem, page = stem }) => page),
  ...(
    'api api-reference assets automation book booking calendar call conversations dashboards departments docs documents files health healthz ' +
    'imports exports inbox invite login mcp metrics oauth pay people product-attributes product-categories records reset scim settings sign-in ' +
    'webhooks welcome'
  ).split(' '),
])

interface Named {
  readonly key: string
  readonly plural: string
  readonly isCustom: boolean
}

let pathsByType: ReadonlyMap<string, string> = new Map()

/** Returns the first part of the addresses of each custom entity by type: its plural, where no other page has that address. */
export function customPaths(kinds: readonly Named[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const given = new Set(takenPaths)
  for (const { key, plural } of kinds.filter(({ isCustom }) => isCustom)) {
    const path = plural
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
    if (path === '' || given.has(path)) continue
    given.add(path)
    paths.set(key, path)
  }
  return paths
}

/** Keeps the addresses of the custom entities that the person sees. */
export function rememberCustomPaths(kinds: readonly Named[]): void {
  pathsByType = customPaths(kinds)
}

/** Returns the first part of the addresses of a custom entity; undefined where it has none of its own. */
export function customPathOf(entityType: string): string | undefined {
  return pathsByType.get(entityType)
}

/** Returns the custom entity whose addresses begin with a part. */
export function customTypeAt(path: string): string | undefined {
  return [...pathsByType].find(([, own]) => own === path)?.[0]
}
