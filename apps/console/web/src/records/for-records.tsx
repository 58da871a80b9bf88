import { entitiesWith, kindOf } from '@crm/model'
import { Link } from '@tanstack/react-router'
import { Icon, isIconName } from '../shell/icons.tsx'
import { Nothing } from '../shell/nothing.tsx'
import { capitalized } from '../base/texts.ts'
import classes from './for-records.module.css'
import { addressOf, nounOf, type RecordPlace } from './record-place.ts'

/** A record that a task or an activity is for, with its title. */
export interface ForRecord extends RecordPlace {
  readonly title: string
}

/** The kinds by which people know best what a task is about, first. */
const order: readonly string[] = entitiesWith('hub')

/** Returns the records that a task or an activity is for, the most telling one first; those that an answer did not name are left out. */
export function forRecords(links: unknown): readonly ForRecord[] {
  if (!Array.isArray(links)) return []
  const known = (links as readonly Partial<ForRecord>[]).filter((link): link is ForRecord => link.title !== undefined)
  const rank = ({ entityType }: ForRecord) => (order.indexOf(entityType) + order.length + 1) % (order.length + 1)
  return known.toSorted((one, other) => rank(one) - rank(other))
}

interface ForRecordsProps {
  readonly links: unknown
  /** The record on whose page the links are shown, which is not named again. */
  readonly without?: RecordPlace | undefined
}

function iconOf(entityType: string) {
  const { icon = '' } = kindOf(entityType) ?? {}
  return isIconName(icon) ? icon : 'records'
}

/** Names in one line what a task or an activity is for: the most telling record with a link, and how many there are besides. */
export function ForRecords({ links, without }: ForRecordsProps) {
  const [first, ...others] = forRecords(links).filter(({ entityId }) => entityId !== without?.entityId)
  if (first === undefined) return null
  const { title, ...record } = first
  return (
    <span className={classes.records}>
      <Link {...addressOf(record)} className={classes.record} title={described(first)}>
        <Icon name={iconOf(record.entityType)} size={14} />
        <bdi>{title}</bdi>
      </Link>
      {others.length > 0 && (
        <span className={classes.more} title={others.map(described).join('\n')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}

function described({ entityType, title }: ForRecord): string {
  return `${capitalized(nounOf(entityType))}: ${title}`
}

/** The same as the value of a cell. */
export function ForCell({ links }: { readonly links: unknown }) {
  return forRecords(links).length === 0 ? <Nothing /> : <ForRecords links={links} />
}
