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
    <Page title={t('Sign-in')} note={t('These rules hold for everybody in the workspace.')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined
        ? error === null && <LoadingLines label={t('Loading rules')} />
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
      notify(t('Saved'))
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
  const [days, hours] = [t(' days'), t(' hours')]
  return (
    <form onSubmit={submit} aria-label={t('Sign-in')}>
      <Stack>
        <Panel title={t('Passwords and invitations')}>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {field('passwordMinLength', {
                label: t('Shortest password'),
                suffix: t(' characters'),
              })}
              {field('invitationHours', { label: t('Invitations are valid for'), suffix: hours })}
            </SimpleGrid>
            {field('typedPasswords', {
              label: t('Administrators may type passwords for others'),
              description: t('Without it, people choose their password from a link in an email.'),
            })}
          </Stack>
        </Panel>
        <Panel title={t('Two-step verification')}>
          <SecondFactorRule now={now} errors={errors} onChange={set} />
        </Panel>
        <Panel title={t('Sessions')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {field('sessionIdleHours', { label: t('Ends without use after'), suffix: hours })}
            {field('sessionAbsoluteHours', { label: t('Ends in any case after'), suffix: hours })}
            {field('reauthMinutes', {
              label: t('Ask again before important changes after'),
              suffix: t(' minutes'),
            })}
          </SimpleGrid>
        </Panel>
        <Panel title={t('Single sign-on')}>
          <Stack>
            {field('enforceSso', {
              label: t('Everybody signs in with single sign-on'),
              description: t('Passwords and passkeys are then refused, but for the people below.'),
            })}
            {field('breakGlassUserIds', {
              label: t('Emergency access'),
              description: t(
                'These people may still use their password. One of them must be an administrator with two-step verification.',
              ),
              choices: people.map(({ id, name }) => ({ value: id, label: name })),
            })}
          </Stack>
        </Panel>
        <Panel title={t('Keys and records of use')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {field('keyMaxDays', {
              label: t('Longest life of an API key'),
              description: t('Empty = no limit'),
              suffix: days,
            })}
            {field('auditRetentionDays', {
              label: t('Keep the audit log for'),
              description: t('Empty = forever'),
              suffix: days,
            })}
          </SimpleGrid>
        </Panel>
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
            {t('Save')}
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
        aria-label={t('Two-step verification')}
        value={now.secondFactor}
        error={errors['secondFactor']}
        onChange={(value) => onChange({ secondFactor: value === 'REQUIRED' ? 'REQUIRED' : 'OPTIONAL' })}
      >
        <Stack gap="xs">
          <Radio value="OPTIONAL" label={t('Everybody decides for themselves')} />
          <Radio value="REQUIRED" label={t('Required for everybody')} />
        </Stack>
      </Radio.Group>
      {now.secondFactor === 'OPTIONAL' && roles.length > 0 && (
        <Checkbox.Group
          label={t('Required for people with these roles')}
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
