import { Select } from '@mantine/core'
import { t } from './texts.ts'
import { terms } from '../../base/texts.ts'
import { FieldControl } from '../../records/field-control.tsx'
import type { Kind } from '../../records/record-kinds.ts'
import { looseReference } from './loose-reference.ts'
import { kindsFor, RecordChoice } from './record-choice.tsx'
import { FieldValue } from './record-values.tsx'
import type { StepFieldsProps, Typed } from './step-fields.ts'
import { TypedSelect } from '../../shell/typed-select.tsx'
import type { Variable } from './variables.ts'

type OwnerStep = Typed<'UPDATE_RECORD'> | Typed<'ASSIGN_OWNER'>

/** The ways to find the new owner of a record. */
const ownerWays = ['person', 'department', 'people'] as const
type OwnerWay = (typeof ownerWays)[number]
const ownerWayNames: Readonly<Record<OwnerWay, string>> = {
  person: t('One person'),
  department: t('Next person in a department'),
  people: t('Next person on a list'),
}

function wayOf(step: OwnerStep): OwnerWay {
  if (step.type === 'UPDATE_RECORD') return 'person'
  return 'departmentId' in step.among ? 'department' : 'people'
}

/** Returns the step with another way to find the owner. */
function withWay({ key, name, entityType, id }: OwnerStep, way: OwnerWay): OwnerStep {
  const same = { key, name, entityType, id }
  switch (way) {
    case 'person':
      return { ...same, type: 'UPDATE_RECORD', values: { ownerId: null } }
    case 'department':
      return { ...same, type: 'ASSIGN_OWNER', among: { departmentId: '' } }
    case 'people':
      return { ...same, type: 'ASSIGN_OWNER', among: { employeeIds: [] } }
  }
}

/** The settings of a step that gives a record an owner: one person, or the next one of several. */
export function OwnerFields({ step, variables, words, errors, onChange }: StepFieldsProps<OwnerStep>) {
  const kind = words.kinds.find(({ key }) => key === step.entityType)
  const owned = words.kinds.filter(({ fields }) => fields.some(({ key, readOnly }) => key === 'ownerId' && !readOnly))
  const way = wayOf(step)
  return (
    <>
      <TypedSelect
        label={t('Record type')}
        searchable
        data={kindsFor('update', owned, step.entityType)}
        value={step.entityType}
        error={errors['entityType']}
        onChange={(entityType) => {
          const first = variables.find(({ references }) => references === entityType)
          onChange({ ...step, entityType: entityType ?? step.entityType, id: first ? `{{${first.path}}}` : '' })
        }}
      />
      <RecordChoice step={step} variables={variables} error={errors['id']} onChange={onChange} />
      <Select
        label={t('Assign to')}
        data={ownerWays.map((value) => ({ value, label: ownerWayNames[value] }))}
        value={way}
        onChange={(chosen) => {
          const next = ownerWays.find((one) => one === chosen)
          if (next !== undefined && next !== way) onChange(withWay(step, next))
        }}
      />
      {kind && <NewOwner kind={kind} step={step} variables={variables} error={errors['among']} onChange={onChange} />}
    </>
  )
}

interface NewOwnerProps {
  readonly kind: Kind
  readonly step: OwnerStep
  readonly variables: readonly Variable[]
  readonly error: string | undefined
  onChange(step: OwnerStep): void
}

function NewOwner({ kind, step, variables, error, onChange }: NewOwnerProps) {
  if (step.type === 'ASSIGN_OWNER') {
    const { among } = step
    return 'departmentId' in among ? (
      <FieldControl
        key="department"
        field={looseReference(terms.labels.department, 'DEPARTMENT')}
        kind={kind}
        draft={among.departmentId}
        error={error}
        onChange={(draft) => onChange({ ...step, among: { departmentId: typeof draft === 'string' ? draft : '' } })}
      />
    ) : (
      <FieldControl
        key="people"
        field={{ ...looseReference(t('People'), 'EMPLOYEE'), type: 'REFERENCE_LIST' }}
        kind={kind}
        draft={[...among.employeeIds]}
        error={error}
        onChange={(draft) =>
          onChange({ ...step, among: { employeeIds: Array.isArray(draft) ? draft.map(String) : [] } })
        }
      />
    )
  }
  const owner = kind.fields.find(({ key }) => key === 'ownerId')
  return (
    owner && (
      <FieldValue
        field={owner}
        kind={kind}
        value={step.values['ownerId']}
        variables={variables}
        onChange={(ownerId) => onChange({ ...step, values: { ownerId } })}
      />
    )
  )
}
