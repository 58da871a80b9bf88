import { Button, Checkbox, Group, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { fieldsOf } from '../../shell/body-fields.tsx'
import { bodyRules } from '../../shell/body-rules.built.ts'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { rolesQuery, signInRulesQuery } from './settings-queries.ts'
import { t } from './texts.ts'

type Rules = Awaited<ReturnType<typeof settings.signInPolicy.get>>['data']
/** The rules for signing in, which hold for everybody in the workspace. */
export function SignInRulesPage() {
  const { data, error, refetch } = useQuery(signInRulesQuery)
  return (
    <Page title={t('settings.signIn')} note={t('settings.theseRulesHoldForEverybody')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined
        ? error === null && <LoadingLines label={t('settings.loadingTheRules')} />
        : error === null && <RulesForm rules={data} />}
    </Page>
  )
}

function RulesForm({ rules }: { readonly rules: Rules }) {
  const client = useQueryClient()
  const people = useDirectory()
  const [changed, setChanged] = useState<Partial<Rules>>({})
  const now = { ...rules, ...changed }
  const set = (patch: Partial<Rules>) => setChanged({ ...changed, ...patch })
  const save = useMutation({
    mutationFn: () => settings.signInPolicy.update({ body: changed }),
    onSuccess: ({ data }) => {
      client.setQueryData(signInRulesQuery.queryKey, data)
      setChanged({})
      notify(t('common.saved'))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  const errors = fieldErrors(save.error)
  const field = fieldsOf({
    rules: bodyRules.signInPolicy,
    values: now,
    errors,
    onChange: set,
  })
  const [days, hours] = [t('settings.suffixes.days'), t('settings.suffixes.hours')]
  return (
    <form onSubmit={submit} aria-label={t('settings.signIn')}>
      <Stack>
        <Panel title={t('settings.passwordsAndInvitations')}>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {field('passwordMinLength', {
                label: t('settings.shortestPassword'),
                suffix: t('settings.suffixes.characters'),
              })}
              {field('invitationHours', { label: t('settings.invitationsAreValidFor'), suffix: hours })}
            </SimpleGrid>
            {field('typedPasswords', {
              label: t('settings.administratorsMayTypePasswordsFor'),
              description: t('settings.withoutItPeopleChooseTheir'),
            })}
          </Stack>
        </Panel>
        <Panel title={t('settings.twoStepVerification')}>
          <SecondFactorRule now={now} errors={errors} onChange={set} />
        </Panel>
        <Panel title={t('settings.sessions')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {field('sessionIdleHours', { label: t('settings.endsWithoutUseAfter'), suffix: hours })}
            {field('sessionAbsoluteHours', { label: t('settings.endsInAnyCaseAfter'), suffix: hours })}
            {field('reauthMinutes', {
              label: t('settings.askAgainBeforeImportantChanges'),
              suffix: t('settings.suffixes.minutes'),
            })}
          </SimpleGrid>
        </Panel>
        <Panel title={t('settings.singleSignOn')}>
          <Stack>
            {field('enforceSso', {
              label: t('settings.everybodySignsInWithSingle'),
              description: t('settings.passwordsAndPasskeysAreThen'),
            })}
            {field('breakGlassUserIds', {
              label: t('settings.emergencyAccess'),
              description: t('settings.thesePeopleMayStillUse'),
              choices: people.map(({ id, name }) => ({ value: id, label: name })),
            })}
          </Stack>
        </Panel>
        <Panel title={t('settings.keysAndRecordsOfUse')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {field('keyMaxDays', {
              label: t('settings.longestLifeOfAnApi'),
              description: t('settings.emptyWithoutALimit'),
              suffix: days,
            })}
            {field('auditRetentionDays', {
              label: t('settings.keepTheAuditLogFor'),
              description: t('settings.emptyForEver'),
              suffix: days,
            })}
          </SimpleGrid>
        </Panel>
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface RuleProps {
  /** The rules as they are shown now. */
  readonly now: Rules
  readonly errors: Readonly<Record<string, string>>
  onChange(patch: Partial<Rules>): void
}

function SecondFactorRule({ now, errors, onChange }: RuleProps) {
  const { may } = useSession()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data ?? []
  return (
    <Stack>
      <Radio.Group
        aria-label={t('settings.twoStepVerification')}
        value={now.secondFactor}
        error={errors['secondFactor']}
        onChange={(value) => onChange({ secondFactor: value === 'REQUIRED' ? 'REQUIRED' : 'OPTIONAL' })}
      >
        <Stack gap="xs">
          <Radio value="OPTIONAL" label={t('settings.everybodyDecidesForThemselves')} />
          <Radio value="REQUIRED" label={t('settings.requiredForEverybody')} />
        </Stack>
      </Radio.Group>
      {now.secondFactor === 'OPTIONAL' && roles.length > 0 && (
        <Checkbox.Group
          label={t('settings.requiredForPeopleWithThese')}
          value={[...now.secondFactorRoleIds]}
          error={errors['secondFactorRoleIds']}
          onChange={(secondFactorRoleIds) => onChange({ secondFactorRoleIds })}
        >
          <Group gap="md" mt="xs">
            {roles.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={name} size="xs" />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
