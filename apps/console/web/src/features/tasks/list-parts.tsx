import type { TaskRecord } from '@crm/contract'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/new-task.tsx'
import { DoneBox, TaskTypeMark } from '../../domain/tasks/task-marks.tsx'
import { conditionsOf, groupIn, type ListAddress } from '../../records/list/list-address.ts'
import type { AnyRecord } from '../../records/record-calls.ts'

/** A line that adds a task, to the project of the list if it has one. */
export function Above({ address }: { readonly address: ListAddress }) {
  const { may } = useSession()
  const ofProject = conditionsOf(groupIn(address.f) ?? { and: [] }).find(({ field }) => field === 'projectId')?.value
  return may('CREATE_TASK') && <QuickAdd projectId={typeof ofProject === 'string' ? ofProject : undefined} />
}

/** The box that a person checks when a task is done, and what kind of task it is. */
export function Lead({ record }: { readonly record: AnyRecord }) {
  const { may } = useSession()
  const task = record as unknown as TaskRecord
  return (
    <>
      <DoneBox task={task} disabled={!may('UPDATE_TASK')} />
      {task.type !== 'TODO' && <TaskTypeMark type={task.type} />}
    </>
  )
}
