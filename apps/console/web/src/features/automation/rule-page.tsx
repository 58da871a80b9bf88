import type { RuleInput } from '@crm/contract'
import { Alert, Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { automationKey, ruleQuery, type Rule } from './automation-queries.ts'
import { ConditionsField } from './conditions-field.tsx'
import { DeliveriesPanel, DeliveryView } from './deliveries-panel.tsx'
import { RequestFields } from './request-fields.tsx'
import { RulePill } from './rules-page.tsx'
import { EventField } from './trigger-fields.tsx'
import { errorAt } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/automation/rules/$id')

const newRule: RuleInput = {
  name: '',
  isActive: true,
  trigger: { event: 'lead.created', conditions: [] },
  actions: [{ type: 'WEBHOOK', url: 'https://', method: 'POST', headers: {}, bodyTemplate: null }],
}

/** One automation rule, or a new one. */
export function RulePage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery({ ...ruleQuery(id), enabled: id !== 'new' })
  if (id !== 'new' && data === undefined)
    return (
      <Page title={t('automation.automationRule')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return (
    <Page
      title={data?.name ?? t('automation.newRule')}
      above={
        <Link to="/automation/rules" search={{}}>
          {t('automation.automation')}
        </Link>
      }
      note={data && <RulePill rule={data} />}
      actions={data && <DeleteRule rule={data} />}
    >
      <RuleForm key={id} rule={data} />
      {data !== undefined && <TestRule ruleId={data.id} />}
      {data !== undefined && <DeliveriesPanel of={{ ruleId: data.id }} />}
    </Page>
  )
}

const variables = [
  'event',
  'entityType',
  'entityId',
  'tenantId',
  'timestamp',
  'data.id',
  'data.name',
  'data.firstName',
  'data.lastName',
  'data.email',
  'data.status',
  'data.ownerId',
]

function draftOf(rule: Rule | undefined): RuleInput {
  return rule === undefined
    ? newRule
    : ({
        name: rule.name,
        isActive: rule.isActive,
        trigger: rule.trigger,
        actions: rule.actions,
      } as unknown as RuleInput)
}

function RuleForm({ rule }: { readonly rule: Rule | undefined }) {
  const [draft, setDraft] = useState<RuleInput>(() => draftOf(rule))
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () =>
      rule === undefined
        ? settings.automationRules.create({ body: draft })
        : settings.automationRules.update({ params: { id: rule.id }, body: draft }),
    onSuccess: async ({ data }) => {
      notify(t('automation.theRuleWasSaved'))
      await client.invalidateQueries({ queryKey: automationKey })
      if (rule === undefined) await navigate({ to: '/automation/rules/$id', params: { id: data.id } })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <Stack>
      {rule !== undefined && rule.pausedAt !== null && (
        <Alert color="yellow" title={t('automation.paused')}>
          {t('automation.pausedAfterRepeatedFailuresTurn')}
        </Alert>
      )}
      {rule !== undefined && rule.warnings.length > 0 && (
        <Alert color="yellow" title={t('automation.needsAttention')}>
          {rule.warnings.map(({ path, message }) => (
            <div key={`${path.join('.')} ${message}`}>{`${path.join(' › ')}: ${message}`}</div>
          ))}
        </Alert>
      )}
      <Panel title={t('automation.rule')}>
        <Stack gap="sm">
          <TextInput
            label={t('common.name')}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            error={errors['name']}
            maxLength={200}
            autoComplete="off"
          />
          <Switch
            label={t('common.active')}
            checked={draft.isActive}
            onChange={(event) => setDraft({ ...draft, isActive: event.currentTarget.checked })}
          />
          <EventField
            event={draft.trigger.event}
            error={errorAt(errors, 'trigger.event')}
            onChange={(event) => setDraft({ ...draft, trigger: { ...draft.trigger, event } })}
          />
          <ConditionsField
            conditions={draft.trigger.conditions}
            variables={variables}
            error={errorAt(errors, 'trigger.conditions')}
            onChange={(conditions) => setDraft({ ...draft, trigger: { ...draft.trigger, conditions } })}
          />
        </Stack>
      </Panel>
      {draft.actions.map((action, at) => (
        // Actions have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Panel
          key={`${at}-${draft.actions.length}`}
          title={t('automation.requestNumber', { number: at + 1 })}
          actions={
            draft.actions.length > 1 && (
              <Button
                variant="subtle"
                color="red"
                size="xs"
                onClick={() => setDraft({ ...draft, actions: draft.actions.toSpliced(at, 1) })}
              >
                {t('common.remove')}
              </Button>
            )
          }
        >
          <Stack gap="sm">
            <RequestFields
              request={action}
              variables={variables}
              errors={errors}
              path={`actions.${at}`}
              onChange={(changed) => setDraft({ ...draft, actions: draft.actions.with(at, changed) })}
            />
          </Stack>
        </Panel>
      ))}
      {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
      <Group justify="flex-end">
        {draft.actions.length < 5 && (
          <Button
            variant="default"
            onClick={() => setDraft({ ...draft, actions: [...draft.actions, ...newRule.actions] })}
          >
            {t('automation.addARequest')}
          </Button>
        )}
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('common.save')}
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
      title={t('automation.test')}
      note={t('automation.sendsTheSavedRequestsOnce')}
      actions={
        <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          {t('automation.sendATest')}
        </Button>
      }
    >
      <RefusalAlert error={test.error} />
      {test.data?.data.deliveries.map((delivery, at) => (
        <DeliveryView
          key={delivery.id}
          delivery={delivery}
          label={t('automation.testOfRequestNumber', { number: at + 1 })}
        />
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
      await navigate({ to: '/automation/rules', search: {} })
      return client.invalidateQueries({ queryKey: automationKey })
    },
  })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        {t('common.delete')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('automation.deleteThisRule')}
        confirm={t('common.delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t.rich('automation.nameFiresNoMoreThe', { name, b: (text) => <b>{text}</b> })}
      </ConfirmDialog>
    </>
  )
}
