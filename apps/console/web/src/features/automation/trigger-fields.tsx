import { automationEvents, hookMethods, type WorkflowTrigger } from '@crm/contract'
import { Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { describeEvent } from './automation-words.ts'
import { ConditionsField } from './conditions-field.tsx'
import { errorAt } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

const triggerNames: Readonly<Record<WorkflowTrigger['type'], string>> = {
  WEBHOOK: t('automation.aWebhookIsCalled'),
  EVENT: t('automation.aChangeOfARecord'),
  MANUAL: t('automation.aPersonByHand'),
}

interface TriggerFieldsProps {
  readonly trigger: WorkflowTrigger
  readonly errors: Readonly<Record<string, string>>
  onChange(trigger: WorkflowTrigger): void
}

const emptyTriggers: Readonly<Record<WorkflowTrigger['type'], WorkflowTrigger>> = {
  WEBHOOK: { type: 'WEBHOOK', method: 'POST' },
  EVENT: { type: 'EVENT', event: 'lead.created', conditions: [] },
  MANUAL: { type: 'MANUAL' },
}

/** The trigger of a workflow. */
export function TriggerFields({ trigger, errors, onChange }: TriggerFieldsProps) {
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('automation.when')}
        value={trigger.type}
        onChange={(event) => onChange(emptyTriggers[event.currentTarget.value as WorkflowTrigger['type']])}
        data={Object.entries(triggerNames).map(([value, label]) => ({ value, label }))}
      />
      {trigger.type === 'WEBHOOK' && <WebhookFields trigger={trigger} errors={errors} onChange={onChange} />}
      {trigger.type === 'EVENT' && (
        <>
          <EventField
            event={trigger.event}
            error={errorAt(errors, 'trigger.event')}
            onChange={(event) => onChange({ ...trigger, event })}
          />
          <ConditionsField
            conditions={trigger.conditions}
            variables={[]}
            error={errorAt(errors, 'trigger.conditions')}
            onChange={(conditions) => onChange({ ...trigger, conditions })}
          />
        </>
      )}
    </Stack>
  )
}

/** Chooses an event; the events of custom entities are typed. */
export function EventField({
  event,
  error,
  onChange,
}: {
  readonly event: string
  readonly error?: string | undefined
  onChange(event: string): void
}) {
  return (
    <>
      <datalist id="automation-events">
        {automationEvents.map((name) => (
          <option key={name} value={name}>
            {describeEvent(name)}
          </option>
        ))}
      </datalist>
      <TextInput
        label={t('automation.event')}
        description={t('automation.forExampleLeadStageChanged')}
        list="automation-events"
        value={event}
        onChange={(input) => onChange(input.currentTarget.value)}
        error={error}
        autoComplete="off"
      />
    </>
  )
}

function WebhookFields({
  trigger,
  errors,
  onChange,
}: TriggerFieldsProps & { readonly trigger: Extract<WorkflowTrigger, { type: 'WEBHOOK' }> }) {
  const { headerAuth } = trigger
  return (
    <>
      <NativeSelect
        label={t('automation.method')}
        value={trigger.method}
        onChange={(event) => onChange({ ...trigger, method: event.currentTarget.value as typeof trigger.method })}
        data={hookMethods.map((value) => ({ value, label: value === 'ANY' ? t('automation.any') : value }))}
      />
      <Checkbox
        label={t('automation.requireASecretHeader')}
        checked={Boolean(headerAuth)}
        onChange={(event) =>
          onChange({ ...trigger, headerAuth: event.currentTarget.checked ? { name: '', value: '' } : null })
        }
      />
      {headerAuth && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('automation.nameOfTheHeader')}
            description={t('automation.callsAreRefusedUntilA')}
            value={headerAuth.name}
            onChange={(event) =>
              onChange({ ...trigger, headerAuth: { ...headerAuth, name: event.currentTarget.value } })
            }
            error={errorAt(errors, 'trigger.headerAuth.name')}
            autoComplete="off"
          />
          <TextInput
            label={t('automation.valueOfTheHeader')}
            description={t('automation.callsAreRefusedUntilA')}
            value={headerAuth.value}
            onChange={(event) =>
              onChange({ ...trigger, headerAuth: { ...headerAuth, value: event.currentTarget.value } })
            }
            error={errorAt(errors, 'trigger.headerAuth.value')}
            autoComplete="off"
          />
        </SimpleGrid>
      )}
    </>
  )
}
