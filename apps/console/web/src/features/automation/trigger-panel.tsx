import type { WorkflowTrigger } from '@crm/contract'
import { Stack, Text, TextInput } from '@mantine/core'
import { useSession } from '../../base/session.ts'
import { Panel } from '../../shell/page.tsx'
import { Advanced, JsonField } from './advanced.tsx'
import classes from './automation.module.css'
import { ConditionsEditor } from './conditions-editor.tsx'
import { eventName, eventNames, isStageEvent, subjectTypeOf } from './events.ts'
import { enteredStage, type Words } from './summary.ts'
import type { Variable } from './variables.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

interface TriggerFieldsProps {
  readonly trigger: WorkflowTrigger
  readonly words: Words
  readonly errors: Readonly<Record<string, string>>
  onChange(trigger: WorkflowTrigger): void
}

/** The settings of the trigger. */
export function TriggerPanel(props: TriggerFieldsProps & { readonly variables: readonly Variable[] }) {
  const { trigger, errors, onChange } = props
  const { person } = useSession()
  return (
    <div className={classes.side}>
      <Panel title={t('Trigger')}>
        <Stack gap="sm">
          <WhenField {...props} />
          {trigger.type === 'EVENT' && <EventFields {...props} trigger={trigger} />}
          {trigger.type === 'WEBHOOK' && <WebhookFields trigger={trigger} errors={errors} onChange={onChange} />}
          {trigger.type === 'SCHEDULE' && (
            <TextInput
              type="time"
              label={t('Time')}
              description={t('In the time zone {timezone}', { timezone: person.workspace.timezone })}
              value={trigger.at}
              error={errors['at']}
              onChange={(event) => onChange({ ...trigger, at: event.currentTarget.value })}
            />
          )}
          {trigger.type === 'MANUAL' && (
            <Text size="sm" c="dimmed">
              {t('Someone starts this workflow under “More actions”, or through the API.')}
            </Text>
          )}
          <Advanced>
            <JsonField label={t('Definition (JSON)')} value={trigger} onChange={onChange} />
          </Advanced>
        </Stack>
      </Panel>
    </div>
  )
}

const webhook = 'WEBHOOK'
const schedule = 'SCHEDULE'
const manual = 'MANUAL'

/** Chooses the trigger by its name. Only rules know nothing but events. */
export function WhenField({
  trigger,
  words: { kinds },
  errors,
  onChange,
  isOfRule = false,
}: TriggerFieldsProps & { readonly isOfRule?: boolean }) {
  const value = trigger.type === 'EVENT' ? trigger.event : trigger.type
  const events = eventNames(kinds)
  const others = isOfRule
    ? []
    : [
        { value: schedule, label: t('Every day at') },
        { value: webhook, label: t('Webhook is called') },
        { value: manual, label: t('Started by hand') },
      ]
  const known = trigger.type === 'EVENT' && !events.includes(trigger.event) ? [trigger.event, ...events] : events
  return (
    <TypedSelect
      label={t('When')}
      searchable
      nothingFoundMessage={t('Nothing found')}
      value={value}
      error={errors['event']}
      data={[...known.map((event) => ({ value: event, label: eventName(event, kinds) })), ...others]}
      onChange={(next) => {
        if (next === null || next === value) return
        if (next === webhook) onChange({ type: webhook, method: 'POST' })
        else if (next === schedule) onChange({ type: schedule, at: '09:00' })
        else if (next === manual) onChange({ type: manual })
        else onChange({ type: 'EVENT', event: next, conditions: [] })
      }}
    />
  )
}

type EventTrigger = Extract<WorkflowTrigger, { type: 'EVENT' }>

/** The stage and the conditions of an event. */
export function EventFields({
  trigger,
  words,
  variables,
  errors,
  onChange,
}: Omit<TriggerFieldsProps, 'trigger'> & { readonly trigger: EventTrigger; readonly variables: readonly Variable[] }) {
  const kind = words.kinds.find(({ key }) => key === subjectTypeOf(trigger.event))
  const stage = enteredStage(trigger)
  const others = trigger.conditions.filter((condition) => condition !== stage?.condition)
  return (
    <>
      {kind && isStageEvent(trigger.event) && (
        <TypedSelect
          label={t('Stage')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('Clear {label}', { label: t('Stage') }) }}
          placeholder={t('Any stage')}
          value={stage === undefined ? null : stage.id}
          data={kind.pipelines.map(({ name, stages }) => ({
            group: name,
            items: stages.map(({ id, name: label }) => ({ value: id, label })),
          }))}
          onChange={(id) =>
            onChange({
              ...trigger,
              conditions: [
                ...(id === null ? [] : [{ field: 'data.stageId', op: 'CHANGED_TO' as const, value: id }]),
                ...others,
              ],
            })
          }
        />
      )}
      <ConditionsEditor
        conditions={others}
        variables={variables}
        words={words}
        isOfTrigger
        error={errors['conditions']}
        onChange={(conditions) =>
          onChange({ ...trigger, conditions: [...(stage === undefined ? [] : [stage.condition]), ...conditions] })
        }
      />
    </>
  )
}
