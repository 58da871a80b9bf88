import type { RuleInput, WorkflowTrigger } from '@crm/contract'
import { Alert, Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { automationKey, ruleQuery, type Rule } from './automation-queries.ts'
import { stateNames, stateTones } from './automation-words.ts'
import { DeliveriesPanel, DeliveryView } from './deliveries-panel.tsx'
import { Summary } from './editor.tsx'
import { RequestFields } from './request-fields.tsx'
import { problemsBelow } from './steps.ts'
import { summaryOf, triggerName, wordsOf, type Words } from './summary.ts'
import { EventFields, WhenField } from './trigger-panel.tsx'
import { useWords } from './use-words.ts'
import { triggerVariables } from './variables.ts'
import { Warnings } from './warnings.tsx'
import { t } from './texts.ts'

const route = getRouteApi('/console/automation/rules/$id')

/** One automation rule. New ones are made as workflows. */
export function RulePage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(ruleQuery(id))
  if (data === undefined)
    return (
      <Page title={t('Automation rule')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  const state = data.isActive ? 'ON' : 'PAUSED'
  return (
    <Page
      title={data.name}
      above={
        <BackLink to="/automation" search={{}}>
          {t('Automation')}
        </BackLink>
      }
      note={<Pill tone={stateTones[state]}>{stateNames[state]}</Pill>}
      actions={<DeleteRule rule={data} />}
    >
      <RuleForm key={id} rule={data} />
      <TestRule ruleId={data.id} />
      <DeliveriesPanel of={{ ruleId: data.id }} />
    </Page>
  )
}

const newAction: RuleInput['actions'][number] = {
  type: 'WEBHOOK',
  url: 'https://',
  method: 'POST',
  headers: {},
  bodyTemplate: null,
}

function draftOf({ name, isActive, trigger, actions }: Rule): RuleInput {
  return { name, isActive, trigger, actions } as unknown as RuleInput
}

function RuleWarnings({ rule, words }: { readonly rule: Rule; readonly words: Words }) {
  const nameOf = ([part, at]: readonly (string | number)[]) =>
    part === 'actions'
      ? t('Request {number}', { number: Number(at) + 1 })
      : triggerName({ type: 'EVENT', ...draftOf(rule).trigger }, words.kinds)
  return <Warnings warnings={rule.warnings} variables={words.variables} nameOf={nameOf} />
}

function RuleForm({ rule }: { readonly rule: Rule }) {
  const [draft, setDraft] = useState<RuleInput>(() => draftOf(rule))
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => settings.automationRules.update({ params: { id: rule.id }, body: draft }),
    onSuccess: async () => {
      notify(t('Rule saved'))
      await client.invalidateQueries({ queryKey: automationKey })
    },
  })
  const errors = fieldErrors(save.error)
  const trigger = { type: 'EVENT' as const, ...draft.trigger }
  const steps = draft.actions.map((action, at) => ({
    ...action,
    type: 'HTTP_REQUEST' as const,
    key: `request${at}`,
    name: '',
  }))
  const words = wordsOf({ trigger, steps }, useWords([{ trigger, steps }]))
  const setTrigger = (next: WorkflowTrigger) => {
    if (next.type === 'EVENT') setDraft({ ...draft, trigger: { event: next.event, conditions: next.conditions } })
  }
  const shared = { words, errors: problemsBelow(errors, 'trigger'), onChange: setTrigger }
  return (
    <Stack>
      <Summary text={summaryOf({ trigger, steps }, words)} />
      <RuleWarnings rule={rule} words={words} />
      {rule.pausedAt !== null && (
        <Alert color="yellow" title={t('Paused')}>
          {t('Paused after repeated failures. Turn it on when the receiver works again.')}
        </Alert>
      )}
      <Panel title={t('Rule')}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            error={errors['name']}
            maxLength={200}
            autoComplete="off"
          />
          <Switch
            label={t('On')}
            checked={draft.isActive}
            onChange={(event) => setDraft({ ...draft, isActive: event.currentTarget.checked })}
          />
          <WhenField {...shared} trigger={trigger} isOfRule />
          <EventFields {...shared} trigger={trigger} variables={triggerVariables(trigger, words.kinds, undefined)} />
        </Stack>
      </Panel>
      {draft.actions.map((action, at) => (
        // Actions have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Panel
          key={`${at}-${draft.actions.length}`}
          title={t('Request {number}', { number: at + 1 })}
          actions={
            draft.actions.length > 1 && (
              <Button
                variant="subtle"
                color="red"
                size="xs"
                onClick={() => setDraft({ ...draft, actions: draft.actions.toSpliced(at, 1) })}
              >
                {t('Remove')}
              </Button>
            )
          }
        >
          <Stack gap="sm">
            <RequestFields
              request={action}
              errors={problemsBelow(errors, `actions.${at}`)}
              onChange={(changed) => setDraft({ ...draft, actions: draft.actions.with(at, changed) })}
            />
          </Stack>
        </Panel>
      ))}
      {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
      <Group justify="flex-end">
        {draft.actions.length < 5 && (
          <Button variant="default" onClick={() => setDraft({ ...draft, actions: [...draft.actions, newAction] })}>
            {t('Add a request')}
          </Button>
        )}
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('Save')}
        </Button>
      </Group>
    </Stack>
  )
}

function TestRule({ ruleId }: { readonly ruleId: string }) {
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => settings.automationRules.test({ params: { id: ruleId }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: automationKey }),
  })
  return (
    <Panel
      title={t('Test')}
      note={t('Sends the saved requests once, with a sample of a record.')}
      actions={
        <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          {t('Send a test')}
        </Button>
      }
    >
      <RefusalAlert error={test.error} />
      {test.data?.data.deliveries.map((delivery, at) => (
        <DeliveryView key={delivery.id} delivery={delivery} label={t('Test of request {number}', { number: at + 1 })} />
      ))}
    </Panel>
  )
}

function DeleteRule({ rule: { id, name } }: { readonly rule: Rule }) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => settings.automationRules.delete({ params: { id } }),
    onSuccess: async () => {
      await navigate({ to: '/automation', search: {} })
      return client.invalidateQueries({ queryKey: automationKey })
    },
  })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        {t('Delete')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('Delete this rule?')}
        confirm={t('Delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t.rich('<b>{name}</b> sends no more requests. Earlier requests stay in the log.', {
          name,
          b: (text) => <b>{text}</b>,
        })}
      </ConfirmDialog>
    </>
  )
}
