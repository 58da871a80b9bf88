import type { WorkflowStep } from '@crm/contract'
import { ActionIcon, Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { StepFields } from './step-fields.tsx'
import { errorAt, moved, newStep, outputVariables, stepNames, type StepType } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

interface StepsEditorProps {
  readonly steps: readonly WorkflowStep[]
  /** The keys that are taken anywhere in the workflow. */
  readonly taken: ReadonlySet<string>
  /** The variables that the steps before these provide. */
  readonly variables: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  /** The path of the steps in the form, and the words for it. */
  readonly path: string
  readonly label: string
  onChange(steps: readonly WorkflowStep[]): void
}

/** Steps in sequence, each with its form. */
export function StepsEditor({ steps, taken, variables, errors, path, label, onChange }: StepsEditorProps) {
  return (
    <Stack gap="md" role="group" aria-label={label}>
      {steps.map((step, at) => (
        <StepCard
          // The key of a step is editable in its form, so it cannot identify the element.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${step.type}-${at}-${steps.length}`}
          step={step}
          number={at + 1}
          isFirst={at === 0}
          isLast={at === steps.length - 1}
          taken={taken}
          errors={errors}
          path={`${path}.${at}`}
          variables={[...variables, ...outputVariables(steps.slice(0, at))]}
          onChange={(changed) => onChange(steps.with(at, changed))}
          onMove={(by) => onChange(moved(steps, at, by))}
          onRemove={() => onChange(steps.toSpliced(at, 1))}
        />
      ))}
      <AddStep label={label} onAdd={(type) => onChange([...steps, newStep(type, taken)])} />
    </Stack>
  )
}

interface StepCardProps {
  readonly step: WorkflowStep
  readonly number: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly taken: ReadonlySet<string>
  readonly variables: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  readonly path: string
  onChange(step: WorkflowStep): void
  onMove(by: -1 | 1): void
  onRemove(): void
}

function StepCard({
  step,
  number,
  isFirst,
  isLast,
  taken,
  variables,
  errors,
  path,
  onChange,
  onMove,
  onRemove,
}: StepCardProps) {
  const title = `${number}. ${stepNames[step.type]}`
  return (
    <section className={classes.step} aria-label={t('automation.stepKey', { key: step.key })}>
      <div className={classes.stepHead}>
        <span>{title}</span>
        <Group gap={4}>
          <ActionIcon
            variant="subtle"
            aria-label={t('automation.moveKeyUp', { key: step.key })}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <Icon name="up" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={t('automation.moveKeyDown', { key: step.key })}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <Icon name="down" size={16} />
          </ActionIcon>
          <Button
            variant="subtle"
            color="red"
            size="xs"
            aria-label={t('automation.removeKey', { key: step.key })}
            onClick={onRemove}
          >
            {t('common.remove')}
          </Button>
        </Group>
      </div>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('common.key')}
            description={t('automation.laterStepsReadStepsKey', { key: step.key })}
            value={step.key}
            onChange={(event) => onChange({ ...step, key: event.currentTarget.value })}
            error={errorAt(errors, `${path}.key`)}
            maxLength={60}
            autoComplete="off"
          />
          <TextInput
            label={t('common.name')}
            description={t('automation.displayName')}
            value={step.name}
            onChange={(event) => onChange({ ...step, name: event.currentTarget.value })}
            error={errorAt(errors, `${path}.name`)}
            maxLength={200}
            autoComplete="off"
          />
        </SimpleGrid>
        <StepFields step={step} variables={variables} errors={errors} path={path} onChange={onChange} />
        {step.type === 'CONDITION' &&
          (['then', 'else'] as const).map((branch) => (
            <div key={branch} className={classes.branch}>
              <div className={classes.branchName}>
                {branch === 'then' ? t('automation.then') : t('automation.else')}
              </div>
              <StepsEditor
                steps={step[branch]}
                taken={taken}
                variables={variables}
                errors={errors}
                path={`${path}.${branch}`}
                label={t(branch === 'then' ? 'automation.thenOfStep' : 'automation.otherwiseOfStep', { key: step.key })}
                onChange={(inner) => onChange({ ...step, [branch]: inner })}
              />
            </div>
          ))}
      </Stack>
    </section>
  )
}

function AddStep({ label, onAdd }: { readonly label: string; onAdd(type: StepType): void }) {
  const [type, setType] = useState<StepType>('CREATE_RECORD')
  return (
    <Group gap="sm">
      <NativeSelect
        aria-label={t('automation.newStepInLabel', { label })}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as StepType)}
        data={Object.entries(stepNames).map(([value, name]) => ({ value, label: name }))}
      />
      <Button
        variant="default"
        leftSection={<Icon name="plus" size={16} />}
        onClick={() => onAdd(type)}
        aria-label={t('automation.addStepToLabel', { label })}
      >
        {t('automation.addStep')}
      </Button>
    </Group>
  )
}
