import { exportedIdsMax } from '@crm/contract'
import { Button, CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../base/session.ts'
import { later } from '../shell/later.tsx'
import classes from './bulk-bar.module.css'
import { bulkTaskNames, type BulkTask } from './bulk-task.ts'
import type { BulkTarget } from './bulk-changes.ts'
import { bulkEditable } from './bulk-fields.ts'
import { usePageCommand } from './page-commands.ts'
import { countOf, useKind, type Kind } from './record-kinds.ts'
import type { Selection } from './selection.ts'
import { useExport } from './use-export.tsx'
import { t } from '../base/texts.ts'

const BulkEmailDialog = later(async () => (await import('./bulk-email-dialog.tsx')).BulkEmailDialog)
const BulkDialog = later(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

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
  const count = selection.isEverything ? total : selection.rows.size
  if (kind === undefined || count === 0) return null
  return <KnownBar kind={kind} count={count} selection={selection} query={query} total={total} />
}

interface KnownBarProps extends Omit<BulkBarProps, 'entityType'> {
  readonly kind: Kind
  /** The number of chosen records. */
  readonly count: number
}

function KnownBar({ kind, count, selection, query, total }: KnownBarProps) {
  const { may } = useSession()
  const exporting = useExport(kind.key)
  const [task, setTask] = useState<BulkTask | 'email' | null>(null)
  const fields = kind.may.update ? bulkEditable(kind) : []
  const target: BulkTarget = selection.isEverything ? { query, total } : { rows: [...selection.rows.values()] }
  const has = (key: string) => fields.some((field) => field.key === key)
  const mayTag = kind.may.update && kind.fields.some(({ key }) => key === 'tags')
  const changes: readonly (readonly [BulkTask, boolean])[] = [
    ['owner', has('ownerId')],
    ['stage', has('stageId')],
    ['tags', mayTag],
    ['untag', mayTag],
    ['field', fields.length > 0],
  ]
  const mayEmail = may('CREATE_ACTIVITY') && kind.fields.some(({ key, type }) => key === 'email' && type === 'EMAIL')
  const mayExport = may('EXPORT_DATA') && (selection.isEverything || count <= exportedIdsMax)
  const choice = selection.isEverything ? { query } : { ids: [...selection.rows.keys()] }
  const isOffered = new Map(changes)
  const asking = (name: BulkTask | 'email', mayDo: boolean | undefined) => mayDo === true && (() => setTask(name))
  usePageCommand('changeOwners', asking('owner', isOffered.get('owner')))
  usePageCommand('changeStages', asking('stage', isOffered.get('stage')))
  usePageCommand('addTags', asking('tags', mayTag))
  usePageCommand('removeTags', asking('untag', mayTag))
  usePageCommand('editFields', asking('field', isOffered.get('field')))
  usePageCommand('emailAll', asking('email', mayEmail))
  usePageCommand('exportAll', mayExport && (() => exporting.start(choice)))
  usePageCommand('removeAll', asking('delete', kind.may.delete))
  return (
    <div role="toolbar" aria-label={t('Bulk actions')} className={classes.bar}>
      <span className={classes.count}>{t('{count, number} selected', { count })}</span>
      {!selection.isEverything && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={selection.chooseEverything}>
          {t('Select all {records}', { records: countOf(kind, total) })}
        </Button>
      )}
      <span className={classes.actions}>
        {changes.map(
          ([name, isOffered]) => isOffered && <Action key={name} task={name} onClick={() => setTask(name)} />,
        )}
        {mayEmail && (
          <Button size="xs" variant="default" onClick={() => setTask('email')}>
            {t('Email')}
          </Button>
        )}
        {mayExport && (
          <Button size="xs" variant="default" loading={exporting.isPending} onClick={() => exporting.start(choice)}>
            {t('Export')}
          </Button>
        )}
        {kind.may.delete && <Action task="delete" onClick={() => setTask('delete')} />}
      </span>
      <CloseButton aria-label={t('Clear selection')} onClick={selection.clear} />
      {exporting.dialog}
      {task === 'email' && (
        <BulkEmailDialog
          kind={kind}
          rows={'rows' in target ? target.rows : undefined}
          onDone={selection.clear}
          onClose={() => setTask(null)}
        />
      )}
      {task !== null && task !== 'email' && (
        <BulkDialog
          task={task}
          kind={kind}
          fields={fields}
          target={target}
          count={count}
          onDone={selection.clear}
          onClose={() => setTask(null)}
        />
      )}
    </div>
  )
}

/** The button of an action that a dialog asks about. */
function Action({ task, onClick }: { readonly task: BulkTask; onClick(): void }) {
  return (
    <Button
      size="xs"
      {...(task === 'delete' ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
      onClick={onClick}
    >
      {bulkTaskNames[task]}
    </Button>
  )
}
