import type { TaskRecord } from '@crm/contract'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { t } from '../base/texts.ts'
import { notifyRefusal } from '../shell/notices.tsx'
import { askForNextStep, needsNextStep } from './next-steps.ts'
import { anyRecordQuery, titleOf } from './record-calls.ts'
import { kindsQuery } from './record-kinds.ts'
import { collectionOf, type RecordPlace } from './record-place.ts'
import { offerUndo } from './undoing.ts'

interface StatusChange {
  readonly id: string
  readonly status: TaskRecord['status']
}

/**
 * Completes and reopens tasks, which can be undone. After the last open task of an open deal or lead, the person is asked
 * for the next one.
 */
export function useTaskStatus() {
  const client = useQueryClient()
  const { may } = useSession()
  return useMutation({
    mutationFn: ({ id, status }: StatusChange) => crm.tasks.update({ params: { id }, body: { status } }),
    onSuccess: async ({ data, undoId }, { status }) => {
      const isDone = status === 'DONE'
      offerUndo(client, t(isDone ? 'Task completed' : 'Task reopened'), undoId)
      await refreshTasks(client, data.links)
      // To ask is a courtesy: where the record cannot be read, nobody is asked.
      if (isDone && may('CREATE_TASK')) await askAbout(client, data.links).catch(() => undefined)
    },
    onError: notifyRefusal,
  })
}

/** Asks for the next step of the first of these records that needs one and has no open task left. */
async function askAbout(client: QueryClient, links: readonly RecordPlace[]): Promise<void> {
  const kinds = await client.ensureQueryData(kindsQuery)
  for (const link of links) {
    const kind = kinds.find(({ key }) => key === link.entityType)
    if (kind === undefined || kind.pipelines.length === 0) continue
    const record = await client.fetchQuery({ ...anyRecordQuery(link.entityType, link.entityId), staleTime: 0 })
    if (record['openTaskCount'] !== 0 || !needsNextStep(link.entityType, record)) continue
    askForNextStep(link, titleOf(kind, record))
    return
  }
}

/** A task shows in lists of tasks, in projects, and in the history of its records. */
export function refreshTasks(client: QueryClient, links: readonly RecordPlace[]): Promise<unknown> {
  const stale = ['tasks', 'projects', ...links.map(({ entityType }) => collectionOf(entityType))]
  return Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
