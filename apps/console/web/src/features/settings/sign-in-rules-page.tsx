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

type Rules = Awaited<ReturnType<typeof settings.signInPolicy.get>>['data']
type NumberRule = {
  [Name in keyof Rules]: number extends Extract<Rules[Name], number> ? Name : never
}[keyof Rules]

/** The rules for signing in, which hold for everybody in the workspace. */
export function SignInRulesPage() {
  const { data, error, refetch } = useQuery(signInRulesQuery)
  return (
    <Page title="Sign-in" note="These rules hold for everybody in the workspace." narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined
        ? error === null && <LoadingLines label="Loading the rules" />
        : error === null && <RulesForm rules={data} />}
    </Page>
  )
}

function RulesForm({ rules }: { readonly rules: Rules }) {
  const client = useQueryClient()
  const { may } = useSession()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data ?? []
  const people = useDirectory()
  const [changed, setChanged] = useState<Partial<Rules>>({})
  const now = { ...rules, ...changed }
  const set = (patch: Partial<Rules>) => setChanged({ ...changed, ...patch })
  const save = useMutation({
    mutationFn: () => settings.signInPolicy.update({ body: changed }),
    onSuccess: ({ data }) => {
      client.setQueryData(signInRulesQuery.queryKey, data)
      setChanged({})
      notify('Saved')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  const errors = fieldErrors(save.error)
  const number = (name: NumberRule, label: string, unit: string, [min, max]: readonly [number, number]): ReactNode => (
    <NumberInput
      label={label}
      suffix={` ${unit}`}
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
      suffix=" days"
      value={now[name] ?? ''}
      min={min}
      max={36_500}
      allowDecimal={false}
      error={errors[name]}
      onChange={(value) => set({ [name]: typeof value === 'number' ? value : null })}
    />
  )
  return (
    <form onSubmit={submit} aria-label="Sign-in">
      <Stack>
        <Panel title="Passwords and invitations">
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {number('passwordMinLength', 'Shortest password', 'characters', [10, 200])}
              {number('invitationHours', 'Invitations are valid for', 'hours', hours)}
            </SimpleGrid>
            <Switch
              label="Administrators may type passwords for others"
              description="Without it, people choose their password from a link in an email."
              checked={now.typedPasswords}
              onChange={(event) => set({ typedPasswords: event.currentTarget.checked })}
            />
          </Stack>
        </Panel>
        <Panel title="Two-step verification">
          <Stack>
            <Radio.Group
              aria-label="Two-step verification"
              value={now.secondFactor}
              error={errors['secondFactor']}
              onChange={(value) => set({ secondFactor: value === 'REQUIRED' ? 'REQUIRED' : 'OPTIONAL' })}
            >
              <Stack gap="xs">
                <Radio value="OPTIONAL" label="Everybody decides for themselves" />
                <Radio value="REQUIRED" label="Required for everybody" />
              </Stack>
            </Radio.Group>
            {now.secondFactor === 'OPTIONAL' && roles.length > 0 && (
              <Checkbox.Group
                label="Required for people with these roles"
                value={[...now.secondFactorRoleIds]}
                error={errors['secondFactorRoleIds']}
                onChange={(secondFactorRoleIds) => set({ secondFactorRoleIds })}
              >
                <Group gap="md" mt="xs">
                  {roles.map(({ id, name }) => (
                    <Checkbox key={id} value={id} label={name} size="xs" />
                  ))}
                </Group>
              </Checkbox.Group>
            )}
          </Stack>
        </Panel>
        <Panel title="Sessions">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {number('sessionIdleHours', 'Ends without use after', 'hours', hours)}
            {number('sessionAbsoluteHours', 'Ends in any case after', 'hours', hours)}
            {number('reauthMinutes', 'Ask again before important changes after', 'minutes', [1, 10_080])}
          </SimpleGrid>
        </Panel>
        <Panel title="Single sign-on">
          <Stack>
            <Switch
              label="Everybody signs in with single sign-on"
              description="Passwords and passkeys are then refused, but for the people below."
              checked={now.enforceSso}
              onChange={(event) => set({ enforceSso: event.currentTarget.checked })}
            />
            <MultiSelect
              label="Emergency access"
              description="These people may still use their password. One of them must be an administrator with two-step verification."
              data={people.map(({ id, name }) => ({ value: id, label: name }))}
              value={[...now.breakGlassUserIds]}
              error={errors['breakGlassUserIds']}
              searchable
              onChange={(breakGlassUserIds) => set({ breakGlassUserIds })}
            />
          </Stack>
        </Panel>
        <Panel title="Keys and records of use">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {optionalDays('keyMaxDays', 'Longest life of an API key', 'Empty: without a limit', 1)}
            {optionalDays('auditRetentionDays', 'Keep the audit log for', 'Empty: for ever', 30)}
          </SimpleGrid>
        </Panel>
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** From one hour to a year. */
const hours = [1, 8_760] as const
