import { Select } from '@mantine/core'
import { recordFacts } from '../../base/contract.built.ts'
import { t } from './texts.ts'
import { capitalized } from '../../base/texts.ts'
import { factsOf } from '../../records/record-facts.ts'
import type { Kind } from '../../records/record-kinds.ts'
import { nounValues } from './events.ts'
import type { Typed } from './step-fields.ts'
import type { Variable } from './variables.ts'

/** Returns the kinds of records that a step can work with, the present one included. */
export function kindsFor(verb: 'create' | 'update' | 'list', kinds: readonly Kind[], present: string) {
  const known = kinds.filter(
    ({ key, isCustom }) => (isCustom || Object.hasOwn(recordFacts, key)) && factsOf(key)[`${verb}s`],
  )
  const choices = known.map(({ key, noun }) => ({ value: key, label: capitalized(noun) }))
  if (choices.some(({ value }) => value === present)) return choices
  return [...choices, { value: present, label: capitalized(nounValues(present, kinds).noun) }]
}

type ChangingStep = Typed<'UPDATE_RECORD'> | Typed<'ASSIGN_OWNER'>

interface RecordChoiceProps {
  readonly step: ChangingStep
  readonly variables: readonly Variable[]
  readonly error: string | undefined
  onChange(step: ChangingStep): void
}

/** Chooses the record that a step changes: of the trigger, of an earlier step, or one that they refer to. */
export function RecordChoice({ step, variables, error, onChange }: RecordChoiceProps) {
  const choices = variables
    .filter(({ references }) => references === step.entityType)
    .map(({ path, source, label, field }) => ({
      value: `{{${path}}}`,
      label: field === undefined ? source : `${source} › ${label}`,
    }))
  const isKnown = step.id === '' || choices.some(({ value }) => value === step.id)
  return (
    <Select
      label={t('Record')}
      data={isKnown ? choices : [...choices, { value: step.id, label: t('Set under Advanced') }]}
      value={step.id === '' ? null : step.id}
      placeholder={t('Choose a record')}
      nothingFoundMessage={t('Nothing found')}
      error={error}
      onChange={(id) => onChange({ ...step, id: id ?? '' })}
    />
  )
}
