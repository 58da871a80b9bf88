import { Button, Checkbox, Group, MultiSelect, NumberInput, Radio, SimpleGrid, Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { settings } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { rolesQuery, signInRulesQuery } from './settings-queries.ts'
import { t } from './texts.ts'

type Rules = Awaited<ReturnType<typeof settings.signInPolicy.get>>['data']
type NumberRule = {
  [Name in keyof Rules]: number extends Extract<Rules[Name], number> ? Name : never
}[keyof Rules]

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
  const number = (
    name: NumberRule,
    label: string,
    unit: 'characters' | 'hours' | 'minutes',
    [min, max]: readonly [number, number],
  ): ReactNode => (
    <NumberInput
      label={label}
      suffix={t(`settings.suffixes.${unit}`)}
      value={now[name] ?? ''}
      min={min}
      max={max}
      allowDecimal={false}
      error={errors[name]}
      onChange={(value) => set({ [name]: typeof value === 'number' ? value : (rules[name] ?? min) })}
    />
  )
  const optionalDays = (name: 'keyMaxDays' | 'auditRetentionDays', label: string, description: string, min: number) => (
    <NumberInput
      label={label}
      description={description}
      suffix={t('settings.suffixes.days')}
      value={now[name] ?? ''}
      min={min}
      max={36_500}
      allowDecimal={false}
      error={errors[name]}
      onChange={(value) => set({ [name]: typeof value === 'number' ? value : null })}
    />
  )
  return (
    <form onSubmit={submit} aria-label={t('settings.signIn')}>
      <Stack>
        <Panel title={t('settings.passwordsAndInvitations')}>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {number('passwordMinLength', t('settings.shortestPassword'), 'characters', [10, 200])}
              {number('invitationHours', t('settings.invitationsAreValidFor'), 'hours', hours)}
            </SimpleGrid>
            <Switch
              label={t('settings.administratorsMayTypePasswordsFor')}
              description={t('settings.withoutItPeopleChooseTheir')}
              checked={now.typedPasswords}
              onChange={(event) => set({ typedPasswords: event.currentTarget.checked })}
            />
          </Stack>
        </Panel>
        <Panel title={t('settings.twoStepVerification')}>
          <SecondFactorRule now={now} errors={errors} onChange={set} />
        </Panel>
        <Panel title={t('settings.sessions')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {number('sessionIdleHours', t('settings.endsWithoutUseAfter'), 'hours', hours)}
            {number('sessionAbsoluteHours', t('settings.endsInAnyCaseAfter'), 'hours', hours)}
            {number('reauthMinutes', t('settings.askAgainBeforeImportantChanges'), 'minutes', [1, 10_080])}
          </SimpleGrid>
        </Panel>
        <Panel title={t('settings.singleSignOn')}>
          <SingleSignOnRule now={now} errors={errors} onChange={set} />
        </Panel>
        <Panel title={t('settings.keysAndRecordsOfUse')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {optionalDays('keyMaxDays', t('settings.longestLifeOfAnApi'), t('settings.emptyWithoutALimit'), 1)}
            {optionalDays('auditRetentionDays', t('settings.keepTheAuditLogFor'), t('settings.emptyForEver'), 30)}
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

function SingleSignOnRule({ now, errors, onChange }: RuleProps) {
  const people = useDirectory()
  return (
    <Stack>
      <Switch
        label={t('settings.everybodySignsInWithSingle')}
        description={t('settings.passwordsAndPasskeysAreThen')}
        checked={now.enforceSso}
        onChange={(event) => onChange({ enforceSso: event.currentTarget.checked })}
      />
      <MultiSelect
        label={t('settings.emergencyAccess')}
        description={t('settings.thesePeopleMayStillUse')}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...now.breakGlassUserIds]}
        error={errors['breakGlassUserIds']}
        searchable
        onChange={(breakGlassUserIds) => onChange({ breakGlassUserIds })}
      />
    </Stack>
  )
}

/** From one hour to a year. */
const hours = [1, 8_760] as const
