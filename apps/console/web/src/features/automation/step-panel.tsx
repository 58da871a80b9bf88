import { ActionIcon, Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { choiceNames } from './choice-words.ts'
import { t } from './texts.ts'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { Advanced, JsonField } from './advanced.tsx'
import classes from './automation.module.css'
import { startableQuery } from './automation-queries.ts'
import { ConditionsEditor } from './conditions-editor.tsx'
import { nounValues } from './events.ts'
import { OwnerFields } from './owner-fields.tsx'
import { kindsFor, RecordChoice } from './record-choice.tsx'
import { RecordValues } from './record-values.tsx'
import { RequestFields } from './request-fields.tsx'
import type { StepFieldsProps, Typed } from './step-fields.ts'
import { choiceOf, linksTo, type RecordStep, type WorkflowStep } from './steps.ts'
import { unitOf, waitUnits } from './summary.ts'
import { TokenField } from './token-field.tsx'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { NamedValues } from './named-values.tsx'

interface StepPanelProps extends StepFieldsProps<WorkflowStep> {
  readonly onMoveUp: (() => void) | undefined
  readonly onMoveDown: (() => void) | undefined
  onRemove(): void
}

/** The settings of the chosen step. */
export function StepPanel({ onMoveUp, onMoveDown, onRemove, ...fields }: StepPanelProps) {
  const { step, onChange } = fields
  return (
    <div className={classes.side}>
      <Panel
        title={choiceNames[choiceOf(step)]}
        actions={
          <Group gap={2}>
            <PanelAction label={t('Move up')} icon="up" onClick={onMoveUp} />
            <PanelAction label={t('Move down')} icon="down" onClick={onMoveDown} />
            <PanelAction label={t('Remove step')} icon="cross" onClick={onRemove} />
          </Group>
        }
      >
        <Stack gap="sm">
          <StepFields {...fields} />
          <Advanced>
            <TextInput
              label={t('Name')}
              description={t('Display name')}
              value={step.name}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => onChange({ ...step, name: event.currentTarget.value })}
            />
            <JsonField label={t('Definition (JSON)')} value={step} onChange={onChange} />
          </Advanced>
        </Stack>
      </Panel>
    </div>
  )
}

interface PanelActionProps {
  readonly label: string
  readonly icon: IconName
  readonly onClick: (() => void) | undefined
}

function PanelAction({ label, icon, onClick }: PanelActionProps): ReactNode {
  return (
    <ActionIcon variant="subtle" aria-label={label} title={label} disabled={onClick === undefined} onClick={onClick}>
      <Icon name={icon} size={16} />
    </ActionIcon>
  )
}

function StepFields({ step, ...rest }: StepFieldsProps<WorkflowStep>) {
  const { variables, words, errors, onChange } = rest
  switch (step.type) {
    case 'CREATE_RECORD':
      return step.entityType === 'TASK' ? (
        <TaskFields step={step} {...rest} />
      ) : (
        <RecordFields step={step} verb="create" {...rest} />
      )
    case 'UPDATE_RECORD':
      return choiceOf(step) === 'owner' ? (
        <OwnerFields step={step} {...rest} />
      ) : (
        <RecordFields step={step} verb="update" {...rest} />
      )
    case 'ASSIGN_OWNER':
      return <OwnerFields step={step} {...rest} />
    case 'FIND_RECORDS':
      return <FindFields step={step} {...rest} />
    case 'HTTP_REQUEST':
      return <RequestFields request={step} errors={errors} onChange={(changed) => onChange(changed)} />
    case 'SEND_EMAIL':
      return <MailFields step={step} {...rest} />
    case 'CONDITION':
      return (
        <ConditionsEditor
          conditions={step.if}
          variables={variables}
          words={words}
          error={errors['if']}
          onChange={(conditions) => onChange({ ...step, if: conditions })}
        />
      )
    case 'DELAY':
      return <WaitFields step={step} {...rest} />
    case 'START_WORKFLOW':
      return <StartFields step={step} {...rest} />
    case 'SET':
      return (
        <NamedValues
          label={t('Values')}
          values={step.values}
          variables={variables}
          error={errors['values']}
          onChange={(values) => onChange({ ...step, values })}
        />
      )
  }
}

function TaskFields({ step, variables, words, subject, errors, onChange }: StepFieldsProps<Typed<'CREATE_RECORD'>>) {
  const kind = words.kinds.find(({ key }) => key === 'TASK')
  const { links, ...values } = step.values
  const title = values['title']
  return (
    <>
      <TokenField
        label={t('Task title')}
        value={typeof title === 'string' ? title : ''}
        variables={variables}
        error={errors['values']}
        onChange={(text) => onChange({ ...step, values: { ...step.values, title: text } })}
      />
      {subject?.isLinkable && (
        <Checkbox
          label={t('Link to the {noun}', nounValues(subject.entityType, words.kinds))}
          checked={links !== undefined}
          onChange={(event) =>
            onChange({ ...step, values: { ...values, ...(event.currentTarget.checked ? linksTo(subject) : {}) } })
          }
        />
      )}
      {kind && (
        <RecordValues
          kind={kind}
          values={step.values}
          variables={variables}
          without={['title', 'links']}
          onChange={(next) => onChange({ ...step, values: next })}
        />
      )}
    </>
  )
}

interface RecordFieldsProps extends StepFieldsProps<Typed<'CREATE_RECORD'> | Typed<'UPDATE_RECORD'>> {
  readonly verb: 'create' | 'update'
}

function RecordFields({ step, verb, variables, words, errors, onChange }: RecordFieldsProps) {
  const kind = words.kinds.find(({ key }) => key === step.entityType)
  const chooseType = (entityType: string | null) => {
    if (entityType === null || entityType === step.entityType) return
    const first = variables.find(({ references }) => references === entityType)
    onChange(
      step.type === 'UPDATE_RECORD'
        ? { ...step, entityType, values: {}, id: first ? `{{${first.path}}}` : '' }
        : { ...step, entityType, values: {} },
    )
  }
  return (
    <>
      <TypedSelect
        label={t('Record type')}
        searchable
        data={kindsFor(verb, words.kinds, step.entityType)}
        value={step.entityType}
        error={errors['entityType']}
        onChange={chooseType}
      />
      {step.type === 'UPDATE_RECORD' && (
        <RecordChoice step={step} variables={variables} error={errors['id']} onChange={onChange} />
      )}
      {kind && (
        <RecordValues
          key={step.entityType}
          kind={kind}
          values={step.values}
          variables={variables}
          error={errors['values']}
          onChange={(values) => onChange({ ...step, values })}
        />
      )}
    </>
  )
}

function FindFields({
  step,
  variables,
  words,
  errors,
  onChange,
}: StepFieldsProps<Extract<RecordStep, { filter: unknown }>>) {
  const search = step.filter['search']
  return (
    <>
      <TypedSelect
        label={t('Record type')}
        searchable
        data={kindsFor('list', words.kinds, step.entityType)}
        value={step.entityType}
        error={errors['entityType']}
        onChange={(entityType) => onChange({ ...step, entityType: entityType ?? step.entityType, filter: {} })}
      />
      <TokenField
        label={t('Search for')}
        value={typeof search === 'string' ? search : ''}
        variables={variables}
        error={errors['filter']}
        onChange={(text) => {
          const { search: _before, ...others } = step.filter
          onChange({ ...step, filter: text === '' ? others : { ...others, search: text } })
        }}
      />
      <NumberInput
        label={t('At most')}
        min={1}
        max={100}
        value={step.limit}
        error={errors['limit']}
        onChange={(limit) => onChange({ ...step, limit: Number(limit) || 1 })}
      />
    </>
  )
}

function MailFields({ step, variables, errors, onChange }: StepFieldsProps<Typed<'SEND_EMAIL'>>) {
  return (
    <>
      <TokenField
        label={t('To')}
        description={t('Addresses, separated by commas')}
        value={typeof step.to === 'string' ? step.to : step.to.join(', ')}
        variables={variables}
        error={errors['to']}
        onChange={(to) => onChange({ ...step, to })}
      />
      <TokenField
        label={t('Subject')}
        value={step.subject}
        variables={variables}
        error={errors['subject']}
        onChange={(subject) => onChange({ ...step, subject })}
      />
      <TokenField
        label={t('Text')}
        isLong
        value={step.body}
        variables={variables}
        error={errors['body']}
        onChange={(body) => onChange({ ...step, body })}
      />
    </>
  )
}

function WaitFields({ step, errors, onChange }: StepFieldsProps<Typed<'DELAY'>>) {
  const unit = unitOf(step.minutes)
  const set = (count: number, minutes: number) => onChange({ ...step, minutes: Math.round(count * minutes) })
  return (
    <Group grow align="flex-start">
      <NumberInput
        label={t('Duration')}
        min={0}
        max={129_600 / unit.minutes}
        allowDecimal={false}
        value={step.minutes / unit.minutes}
        error={errors['minutes']}
        onChange={(count) => set(Number(count) || 0, unit.minutes)}
      />
      <Select
        label={t('Unit')}
        data={waitUnits.map(({ name, label }) => ({ value: name, label }))}
        value={unit.name}
        onChange={(name) => set(step.minutes / unit.minutes, waitUnits.find((one) => one.name === name)?.minutes ?? 1)}
      />
    </Group>
  )
}

function StartFields({ step, errors, onChange }: StepFieldsProps<Typed<'START_WORKFLOW'>>) {
  const { data: others = [] } = useQuery(startableQuery)
  return (
    <TypedSelect
      label={t('Workflow')}
      searchable
      data={others.map(({ id, name }) => ({ value: id, label: name }))}
      value={step.workflowId === '' ? null : step.workflowId}
      nothingFoundMessage={t('Nothing found')}
      description={t('It gets the same record and data.')}
      error={errors['workflowId']}
      onChange={(workflowId) => onChange({ ...step, workflowId: workflowId ?? step.workflowId })}
    />
  )
}
