import { Button, CloseButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import classes from './bulk-bar.module.css'
import type { BulkTask } from './bulk-dialog.tsx'
import type { BulkTarget } from './bulk-changes.ts'
import { bulkEditable } from './bulk-fields.ts'
import { useKind } from './record-kinds.ts'
import type { Selection } from './selection.ts'

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
    ['Change owner', has('ownerId')],
    ['Change stage', has('stageId')],
    ['Add tags', kind.may.update && kind.fields.some(({ key }) => key === 'tags')],
    ['Edit field', fields.length > 0],
    ['Delete', kind.may.delete],
  ]
  return (
    <div role="toolbar" aria-label="Bulk actions" className={classes.bar}>
      <span className={classes.count}>{`${count.toLocaleString('en')} selected`}</span>
      {!selection.isEverything && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={selection.chooseEverything}>
          {`Select all ${total.toLocaleString('en')} ${kind.plural}`}
        </Button>
      )}
      <span className={classes.actions}>
        {tasks
          .filter(([, isOffered]) => isOffered)
          .map(([name]) => (
            <Button
              key={name}
              size="xs"
              {...(name === 'Delete' ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
              onClick={() => setTask(name)}
            >
              {name}
            </Button>
          ))}
      </span>
      <CloseButton aria-label="Clear selection" onClick={selection.clear} />
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
