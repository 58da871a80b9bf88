import { recordEntityTypes, type ConditionStep, type PlainStep } from '@crm/contract'
import { NativeSelect, NumberInput } from '@mantine/core'
import { TemplateField } from '../../shell/template-field.tsx'
import { describeEntityType } from './automation-words.ts'
import { ConditionsField } from './conditions-field.tsx'
import { RequestFields } from './request-fields.tsx'
import { ValuesField } from './values-field.tsx'
import { errorAt } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

type Step = PlainStep | ConditionStep

interface StepFieldsProps<S extends Step> {
  readonly step: S
  readonly variables: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  readonly path: string
  onChange(step: S): void
}

/** The fields of one step; the branches of a fork stand beside them. */
export function StepFields({ step, ...rest }: StepFieldsProps<Step>) {
  switch (step.type) {
    case 'CREATE_RECORD':
    case 'UPDATE_RECORD':
    case 'FIND_RECORDS':
      return <RecordFields step={step} {...rest} />
    case 'HTTP_REQUEST':
      return (
        <RequestFields
          request={step}
          variables={rest.variables}
          errors={rest.errors}
          path={rest.path}
          onChange={(changed) => rest.onChange(changed)}
        />
      )
    case 'SEND_EMAIL':
      return <MailFields step={step} {...rest} />
    case 'CONDITION':
      return (
        <ConditionsField
          conditions={step.if}
          variables={rest.variables}
          error={errorAt(rest.errors, `${rest.path}.if`)}
          onChange={(conditions) => rest.onChange({ ...step, if: conditions })}
        />
      )
    case 'DELAY':
      return (
        <NumberInput
          label={t('automation.minutes')}
          min={0}
          max={129_600}
          value={step.minutes}
          onChange={(minutes) => rest.onChange({ ...step, minutes: Number(minutes) || 0 })}
          error={errorAt(rest.errors, `${rest.path}.minutes`)}
        />
      )
    case 'SET':
      return (
        <ValuesField
          label={t('common.values')}
          values={step.values}
          variables={rest.variables}
          error={errorAt(rest.errors, `${rest.path}.values`)}
          onChange={(values) => rest.onChange({ ...step, values })}
        />
      )
  }
}

type RecordStep = Extract<PlainStep, { entityType: string }>

function RecordFields({ step, variables, errors, path, onChange }: StepFieldsProps<RecordStep>) {
  const types = [...new Set([...recordEntityTypes(), step.entityType])]
  return (
    <>
      <NativeSelect
        label={t('automation.recordType')}
        value={step.entityType}
        onChange={(event) => onChange({ ...step, entityType: event.currentTarget.value })}
        data={types.map((value) => ({ value, label: describeEntityType(value) }))}
        error={errorAt(errors, `${path}.entityType`)}
      />
      {step.type === 'UPDATE_RECORD' && (
        <TemplateField
          label={t('automation.idOfTheRecord')}
          value={step.id}
          variables={variables}
          error={errorAt(errors, `${path}.id`)}
          onChange={(id) => onChange({ ...step, id })}
        />
      )}
      {step.type === 'FIND_RECORDS' ? (
        <FindFields step={step} variables={variables} errors={errors} path={path} onChange={onChange} />
      ) : (
        <ValuesField
          label={t('common.values')}
          values={step.values}
          variables={variables}
          error={errorAt(errors, `${path}.values`)}
          onChange={(values) => onChange({ ...step, values })}
        />
      )}
    </>
  )
}

function FindFields({
  step,
  variables,
  errors,
  path,
  onChange,
}: StepFieldsProps<Extract<RecordStep, { type: 'FIND_RECORDS' }>>) {
  return (
    <>
      <ValuesField
        label={t('automation.filters')}
        values={step.filter}
        variables={variables}
        error={errorAt(errors, `${path}.filter`)}
        onChange={(filter) => onChange({ ...step, filter })}
      />
      <NumberInput
        label={t('automation.atMost')}
        min={1}
        max={100}
        value={step.limit}
        onChange={(limit) => onChange({ ...step, limit: Number(limit) || 1 })}
        error={errorAt(errors, `${path}.limit`)}
      />
    </>
  )
}

function MailFields({
  step,
  variables,
  errors,
  path,
  onChange,
}: StepFieldsProps<Extract<PlainStep, { type: 'SEND_EMAIL' }>>) {
  const to = typeof step.to === 'string' ? step.to : step.to.join(', ')
  const shared = { variables }
  return (
    <>
      <TemplateField
        {...shared}
        label={t('common.to')}
        description={t('automation.addressesSeparatedByCommas')}
        value={to}
        error={errorAt(errors, `${path}.to`)}
        onChange={(text) => onChange({ ...step, to: text })}
      />
      <TemplateField
        {...shared}
        label={t('common.subject')}
        value={step.subject}
        error={errorAt(errors, `${path}.subject`)}
        onChange={(subject) => onChange({ ...step, subject })}
      />
      <TemplateField
        {...shared}
        label={t('common.text')}
        isLong
        value={step.body}
        error={errorAt(errors, `${path}.body`)}
        onChange={(body) => onChange({ ...step, body })}
      />
    </>
  )
}
