import { Button, CloseButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import classes from './bulk-bar.module.css'
import { bulkTaskNames, type BulkTask } from './bulk-task.ts'
import type { BulkTarget } from './bulk-changes.ts'
import { bulkEditable } from './bulk-fields.ts'
import { countOf, useKind } from './record-kinds.ts'
import type { Selection } from './selection.ts'
import { t } from '../base/texts.ts'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

interface BulkBarProps {
  readonly entityType: string
  readonly selection: Selection
  /** The parameters of the list. */
  readonly query: Readonly<Record<string, string>>
  /** The number of records that the list finds. */
  readonly total: number
}

/** The actions for the chosen records of a list; nothing while none is chosen. */
export function BulkBar({ entityType, selection, query, total }: BulkBarProps) {
  const kind = useKind(entityType)
  const [task, setTask] = useState<BulkTask | null>(null)
  const count = selection.isEverything ? total : selection.rows.size
  if (kind === undefined || count === 0) return null
  const fields = kind.may.update ? bulkEditable(kind) : []
  const target: BulkTarget = selection.isEverything ? { query, total } : { rows: [...selection.rows.values()] }
  const has = (key: string) => fields.some((field) => field.key === key)
  const tasks: readonly (readonly [BulkTask, boolean])[] = [
    ['owner', has('ownerId')],
    ['stage', has('stageId')],
    ['tags', kind.may.update && kind.fields.some(({ key }) => key === 'tags')],
    ['field', fields.length > 0],
    ['delete', kind.may.delete],
  ]
  return (
    <div role="toolbar" aria-label={t('records.bulkActions')} className={classes.bar}>
      <span className={classes.count}>{t('records.countSelected', { count })}</span>
      {!selection.isEverything && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={selection.chooseEverything}>
          {t('records.selectAllRecords', { count: total, records: countOf(kind, total) })}
        </Button>
      )}
      <span className={classes.actions}>
        {tasks
          .filter(([, isOffered]) => isOffered)
          .map(([name]) => (
            <Button
              key={name}
              size="xs"
              {...(name === 'delete' ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
              onClick={() => setTask(name)}
            >
              {bulkTaskNames[name]}
            </Button>
          ))}
      </span>
      <CloseButton aria-label={t('records.clearSelection')} onClick={selection.clear} />
      {task !== null && (
        <Suspense>
          <BulkDialog
            task={task}
            kind={kind}
            fields={fields}
            target={target}
            count={count}
            onDone={selection.clear}
            onClose={() => setTask(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
