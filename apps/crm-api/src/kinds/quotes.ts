import { rowReader, schema } from '@crm/db'
import { quote } from '@crm/model'
import { and, isNotNull, lte, or, sql, type SQL } from 'drizzle-orm'
import type { Filter, RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import {
  issuedConditions,
  commercialFollowers,
  commercialTimeline,
  titleOf,
  withAmounts,
  type QuoteRow,
} from './commercial.ts'

const { quotes } = schema

export type QuoteStatus = QuoteRow['status']

/** The status of a quote at a time: a sent quote expires by itself. */
const statusNow = (at: string) => sql`(CASE WHEN ${hasExpiredAt(at)} THEN 'EXPIRED' ELSE ${quotes.status} END)`

const hasExpiredAt = (at: string) =>
  and(sql`${quotes.status} = 'SENT'`, isNotNull(quotes.expiresAt), lte(quotes.expiresAt, at))

/** Returns the condition for a status now. It compares the column itself, so that its index is used. */
function isNow(status: QuoteStatus | null, at: string): SQL {
  const hasExpired = hasExpiredAt(at)
  if (status === 'EXPIRED') return sql`(${quotes.status} = 'EXPIRED' OR (${hasExpired}))`
  return status === 'SENT'
    ? sql`(${quotes.status} = 'SENT' AND NOT coalesce((${hasExpired}), false))`
    : sql`${quotes.status} = ${status}`
}

/** The filter by the present status: a sent quote expires by itself. */
const status: Filter = {
  condition: (wanted: readonly (QuoteStatus | null)[], { at }) => or(...wanted.map((one) => isNow(one, at))) as SQL,
  passes: true,
}

export const quoteKind: RecordKind<QuoteRow> = {
  entityType: quote.entity,
  noun: quote.noun,
  table: quotes,
  rows: withAmounts(rowReader(shownColumns(quotes, 'quotes'))),
  title: (row) => titleOf('quote', row),
  filters: { ...filtersOf(quote, quotes), ...issuedConditions(quotes), status },
  sortable: sortableOf(quote, quotes),
  computed: { status: ({ at }) => statusNow(at) },
  customFields: null,
  timelineKinds: commercialTimeline,
  followers: [...commercialFollowers, 'sentAt', 'decidedAt', 'convertedType'],
  tellsEvents: true,
}
