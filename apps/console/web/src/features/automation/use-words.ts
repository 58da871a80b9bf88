import { useQueries, useQuery } from '@tanstack/react-query'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { useKinds, type Kind } from '../../records/record-kinds.ts'
import { isListFor, listQuery } from '../../records/reference-choices.ts'
import { startableQuery } from './automation-queries.ts'
import type { Words } from './summary.ts'
import type { WorkflowDraft } from './steps.ts'

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Returns what the words of workflows are made of, with the names of the people and other records that they hold. */
export function useWords(workflows: readonly Pick<WorkflowDraft, 'trigger' | 'steps'>[]): Omit<Words, 'variables'> {
  const kinds = useKinds()
  const { may, person } = useSession()
  const stages = stageNames(kinds)
  const ids = [...new Set(JSON.stringify(workflows).match(id))].filter((one) => !stages.has(one))
  const people = usePeopleNames(ids)
  const unknown = ids.some((one) => !people.has(one))
  const ofFields = kinds.flatMap(({ fields }) => fields.flatMap((field) => field.references ?? []))
  // The members of a department can take turns as owners.
  const references = new Set([...ofFields, 'DEPARTMENT'])
  const lists = useQueries({
    queries: unknown
      ? [...references].filter((reference) => isListFor(reference, may)).map((reference) => listQuery(reference))
      : [],
  })
  const isStarting = JSON.stringify(workflows).includes('"START_WORKFLOW"')
  const { data: others = [] } = useQuery({ ...startableQuery, enabled: isStarting && may('MANAGE_WORKFLOWS') })
  const started = others.map((other) => [other.id, other.name] as const)
  const listed = lists.flatMap(({ data }) => (data ?? []).map(({ value, label }) => [value, label] as const))
  return { kinds, names: new Map([...listed, ...people, ...stages, ...started]), currency: person.workspace.currency }
}

function stageNames(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  return new Map(
    kinds
      .flatMap(({ pipelines }) => pipelines)
      .flatMap(({ id: pipelineId, name, stages }) => [
        [pipelineId, name] as const,
        ...stages.map((stage) => [stage.id, stage.name] as const),
      ]),
  )
}
