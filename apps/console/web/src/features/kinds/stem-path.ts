import { useParams } from '@tanstack/react-router'

/** Returns the path of the list of the kind in the address: by its stem, or by the key of a custom entity. */
export function useStemPath(): string {
  return stemPath(useParams({ strict: false }))
}

/** Returns the path of a list from the parts of an address. */
export function stemPath({
  stem,
  key,
}: {
  readonly stem?: string | undefined
  readonly key?: string | undefined
}): string {
  return key === undefined ? `/${stem ?? ''}` : `/records/${key}`
}
