import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyRecord } from '../record-calls.ts'
import { listQuery } from './list-queries.ts'
import { pageQueryOf, type ListState } from './list-state.ts'
import { pagesOf, type Span } from './window.ts'

/** The rows of a list that are known, by their places in it. */
export type KnownRows = ReadonlyMap<number, AnyRecord>

export interface ListRows {
  /** Undefined until the first page is there. */
  readonly rows: KnownRows | undefined
  readonly total: number | undefined
  readonly error: Error | null
  /** Whether the rows are still those of another filter or order. */
  readonly isStale: boolean
  /** Asks for the rows that somebody has scrolled to. */
  show(span: Span): void
  refetch(): unknown
}

/** Rows that are asked for before somebody scrolls to them. */
const ahead = 12
const scrollingPauseMs = 60

/** Reads the rows of a list page by page as somebody scrolls to them. */
export function useListRows(entityType: string, state: ListState, enabled: boolean): ListRows {
  const { page, pageSize } = state
  const of = JSON.stringify(pageQueryOf(entityType, { ...state, page: 1 }))
  const beginning = { first: (page - 1) * pageSize, last: (page - 1) * pageSize + 1 }
  const [seen, setSeen] = useState<{ readonly of: string; readonly span: Span }>({ of, span: beginning })
  const [first = 1, ...others] = pagesOf(seen.of === of ? seen.span : beginning, pageSize)
  const queryOf = (at: number) => listQuery(entityType, pageQueryOf(entityType, { ...state, page: at }))
  // The rows of another filter stay until the new ones are there; those of another page stay in their own place.
  const anchor = useQuery({
    ...queryOf(first),
    enabled,
    placeholderData: (data, before) => {
      const asked = before?.queryKey[2]
      const isOfThisList = JSON.stringify({ ...(asked as object), page: 1 }) === of
      return isOfThisList ? undefined : keepPreviousData(data)
    },
  })
  const further = useQueries({
    queries: others.map((at) => ({ ...queryOf(at), enabled, placeholderData: undefined })),
  })
  const isStale = anchor.isPlaceholderData
  const pages = [
    { at: isStale ? 1 : first, data: anchor.data },
    ...(isStale ? [] : further.map(({ data }, at) => ({ at: others[at] ?? 0, data }))),
  ]
  const known = pages.flatMap(({ at, data }) =>
    (data?.items ?? []).map((row, place) => [(at - 1) * pageSize + place, row] as const),
  )
  const counted = pages.find(({ data }) => data !== undefined)?.data?.total
  // Far from what was read before, a page is on its way, and the length of the list is known.
  const [remembered, setRemembered] = useState({ of: '', total: 0 })
  const total = counted ?? (remembered.of === of ? remembered.total : undefined)
  if (counted !== undefined && (remembered.of !== of || remembered.total !== counted))
    setRemembered({ of, total: counted })
  const show = useDebouncedCallback(
    (span: Span) => {
      const wanted = { first: Math.max(0, span.first - ahead), last: Math.min(total ?? 0, span.last + ahead) }
      setSeen((before) => (before.of === of && isSame(before.span, wanted, pageSize) ? before : { of, span: wanted }))
    },
    { delay: scrollingPauseMs, maxWait: 2 * scrollingPauseMs },
  )
  return {
    rows: total === undefined ? undefined : new Map(known),
    total,
    error: anchor.error ?? further.find(({ error }) => error !== null)?.error ?? null,
    isStale,
    show,
    refetch: () => Promise.all([anchor.refetch(), ...further.map((query) => query.refetch())]),
  }
}

function isSame(one: Span, other: Span, pageSize: number): boolean {
  return String(pagesOf(one, pageSize)) === String(pagesOf(other, pageSize))
}
