import { Link } from '@tanstack/react-router'
import { inWords } from './field-words.ts'
import classes from './record-link.module.css'
import type { RecordPlace } from './record-place.ts'

const places = {
  LEAD: '/leads/$id',
  CONTACT: '/contacts/$id',
  COMPANY: '/companies/$id',
  DEAL: '/deals/$id',
  TASK: '/tasks/$id',
  PROJECT: '/projects/$id',
  PRODUCT: '/products/$id',
  PRICE_LIST: '/price-lists/$id',
  QUOTE: '/quotes/$id',
  ORDER: '/orders/$id',
  INVOICE: '/invoices/$id',
  ACTIVITY: '/activities/$id',
  DOCUMENT: '/document-templates/$id',
  FILE: '/files/$id',
  EMPLOYEE: '/people/$id',
  DEPARTMENT: '/departments/$id',
} as const

/** The way to a record of any kind, by the name of the kind. */
export function RecordLink({ record: { entityType, entityId: id } }: { readonly record: RecordPlace }) {
  const name = inWords(entityType)
  const to = Object.entries(places).find(([kind]) => kind === entityType)?.[1]
  if (to !== undefined)
    return (
      <Link to={to} params={{ id }} className={classes.link}>
        {name}
      </Link>
    )
  return (
    <Link to="/records/$key/$id" params={{ key: entityType.toLowerCase(), id }} className={classes.link}>
      {name}
    </Link>
  )
}
