import { Panel } from '../shell/page.tsx'
import classes from './linked-list.module.css'
import { NamedRecordLink } from './record-link.tsx'
import type { RecordPlace } from './record-place.ts'
import { t } from '../base/texts.ts'

/** Links to the records that an item belongs to. */
export function LinkedPlaces({ links }: { readonly links: readonly RecordPlace[] }) {
  if (links.length === 0) return null
  return (
    <Panel title={t('Related to')}>
      <ul className={classes.linked} aria-label={t('Related to')}>
        {links.map((record) => (
          <li key={`${record.entityType}:${record.entityId}`}>
            <NamedRecordLink record={record} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
