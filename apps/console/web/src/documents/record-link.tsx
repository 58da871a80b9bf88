import { Link } from '@tanstack/react-router'
import { inWords } from '../records/field-words.ts'
import type { RecordPlace } from '../records/record-place.ts'
import classes from './documents.module.css'

const places = {
  LEAD: '/leads/$id', CONTACT: '/contacts/$id', COMPANY: '/companies/$id', DEAL: '/deals/$id', TASK: '/tasks/$id', PROJECT: '/projects/$id',
  PRODUCT: '/products/$id', PRICE_LIST: '/price-lists/$id', QUOTE: '/quotes/$id', ORDER: '/orders/$id', INVOICE: '/invoices/$id',
} as const

/** Kinds that have no page of their own. */
const withoutPage: readonly string[] = ['ACTIVITY', 'DOCUMENT']

/** The way to a record of any kind, by the name of the kind. */
export function RecordLink({ record: { entityType, entityId: id } }: { readonly record: RecordPlace }) {
  const name = inWords(entityType)
  const to = Object.entries(places).find(([kind]) => kind === entityType)?.[1]
  if (to !== undefined) return <Link to={to} params={{ id }} className={classes.link}>{name}</Link>
  if (withoutPage.includes(entityType)) return name
  return <Link to="/records/$key/$id" params={{ key: entityType.toLowerCase(), id }} className={classes.link}>{name}</Link>
}
