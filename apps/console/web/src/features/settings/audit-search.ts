import { dayAfter, instantOf } from '../../base/moments.ts'

/** The narrowing of the audit log, as it is in the address. */
export interface AuditSearch {
  /** The beginning of the actions to show. */
  readonly area?: string
  readonly actorId?: string
  readonly outcome?: 'FAILURE'
  /** Days, with the first and the last one. */
  readonly from?: string
  readonly to?: string
  readonly page?: number
}

const day = /^\d{4}-\d{2}-\d{2}$/
const id = /^[\da-f-]{36}$/

/** Reads the address; invalid parts are ignored. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const text = (name: string, form: RegExp) => {
    const value = raw[name]
    return typeof value === 'string' && form.test(value) ? { [name]: value } : {}
  }
  const area = raw['area']
  const page = Number(raw['page'])
  return {
    ...(typeof area === 'string' && /^[a-z-]+\.\*$/.test(area) ? { area } : {}),
    ...text('actorId', id),
    ...(raw['outcome'] === 'FAILURE' ? { outcome: 'FAILURE' as const } : {}),
    ...text('from', day),
    ...text('to', day),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}

/** Returns the moments between which the days of the search lie, in the zone of the account. */
export function timesOf({ from, to }: AuditSearch): { from?: string; to?: string } {
  return {
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(instantOf(dayAfter(to, 1))) - 1).toISOString() }),
  }
}
