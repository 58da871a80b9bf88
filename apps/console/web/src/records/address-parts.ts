/** Returns an id in an address; undefined for anything else. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined
}

/** Returns a whole number from 1 in an address; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 1 && number <= 999_999_999 ? number : undefined
}

/** Reads the searched text and the page of an address; an empty text and the first page are left out. */
export function readSearchedPage(from: Readonly<Record<string, unknown>>): {
  readonly search?: string
  readonly page?: number
} {
  const search = typeof from['search'] === 'string' ? from['search'].slice(0, 200) : ''
  return { ...(search === '' ? {} : { search }), ...readPage(from) }
}

/** Reads the page of an address that has no other parameters; the first page is left out. */
export function readPage({ page }: Readonly<Record<string, unknown>>): { readonly page?: number } {
  const number = wholeNumber(page)
  return number === undefined || number === 1 ? {} : { page: number }
}
