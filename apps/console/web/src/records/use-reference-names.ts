import { useQueries } from '@tanstack/react-query'
import { usePeopleNames } from '../base/people.ts'
import { anyRecordQuery, titleOf } from './record-calls.ts'
import { useChoices } from './reference-choices.ts'
import { useKinds, type Field, type Kind } from './record-kinds.ts'

/** Returns the names of a field's targets, by id, as far as this person may see them. */
export function useReferenceNames(field: Field, kind: Kind, ids: readonly string[]): ReadonlyMap<string, string> {
  const target = useKinds().find(({ key }) => key === field.references)
  const people = usePeopleNames(field.references === 'EMPLOYEE' ? ids : [])
  const records = useQueries({
    queries: target === undefined ? [] : ids.map((id) => anyRecordQuery(target.key, id)),
  })
  const isOfList = target === undefined && field.references !== 'EMPLOYEE' && field.references !== 'STAGE'
  const choices = useChoices({
    references: isOfList ? (field.references ?? '') : '',
    kind,
    search: '',
    pipelineId: null,
  })
  if (field.references === 'EMPLOYEE') return people
  if (field.references === 'STAGE')
    return new Map(kind.pipelines.flatMap(({ stages }) => stages.map(({ id, name }) => [id, name] as const)))
  if (field.references === 'PIPELINE') return new Map(kind.pipelines.map(({ id, name }) => [id, name]))
  if (target === undefined) return new Map(choices.map(({ value, label }) => [value, label]))
  return new Map(records.flatMap(({ data }) => (data ? [[data.id, titleOf(target, data)] as const] : [])))
}
