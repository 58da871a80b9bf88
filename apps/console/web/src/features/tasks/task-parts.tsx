import type { TaskRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { LinkedPlaces } from '../../records/linked-places.tsx'
import { useTaskStatus } from '../../records/completing.ts'
import type { PageParts } from '../../records/kind-pages.ts'
import { addressOf, type RecordPlace } from '../../records/record-place.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { Checklist } from './checklist.tsx'
import { subtasksQuery } from './task-queries.ts'
import { t } from '../../base/texts.ts'

/** Returns what is special about the page of a task: its checklist, and the tasks below it. */
export function partsOf(task: TaskRecord, place: RecordPlace): PageParts {
  return {
    note: t('No. {number}', { number: task.number }),
    actions: <Done task={task} />,
    main: <ChecklistPanel task={task} />,
    tabs: [filesTab(place), documentsTab(place)],
    next: false,
    aside: (
      <>
        <LinkedPlaces links={task.links} />
        <Subtasks task={task} />
      </>
    ),
  }
}

/** Completes the task, or opens it again. */
function Done({ task: { id, status } }: { readonly task: TaskRecord }) {
  const { may } = useSession()
  const change = useTaskStatus()
  const isDone = status === 'DONE'
  if (!may('UPDATE_TASK')) return null
  return (
    <Button
      variant={isDone ? 'default' : 'filled'}
      leftSection={!isDone && <Icon name="check" size={16} />}
      loading={change.isPending}
      onClick={() => change.mutate({ id, status: isDone ? 'TODO' : 'DONE' })}
    >
      {t(isDone ? 'Reopen' : 'Mark as done')}
    </Button>
  )
}

function ChecklistPanel({ task }: { readonly task: TaskRecord }) {
  const { may } = useSession()
  return (
    <Panel title={t('Checklist')} note={checklistNote(task)}>
      <Checklist task={task} mayChange={may('UPDATE_TASK')} />
    </Panel>
  )
}

function checklistNote({ checklist }: TaskRecord): string | undefined {
  return checklist.length === 0
    ? undefined
    : t('{length} of {length2} done', {
        length: checklist.filter(({ isDone }) => isDone).length,
        length2: checklist.length,
      })
}

function Subtasks({ task }: { readonly task: TaskRecord }) {
  const { data } = useQuery(subtasksQuery(task.id))
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title={t('Tasks below')}>
      <Facts
        facts={data.map((below) => [
          t('No. {number}', { number: below.number }),
          <Link key={below.id} {...addressOf({ entityType: 'TASK', entityId: below.id })}>
            {below.status === 'DONE' ? `✓ ${below.title}` : below.title}
          </Link>,
        ])}
      />
    </Panel>
  )
}
