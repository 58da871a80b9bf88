import {
  Button,
  Code,
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  PasswordInput,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { useChange } from '../../shell/changes.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { departmentChoices } from './departments-page.tsx'
import { departmentsQuery, rolesQuery, type Department, type Role } from './settings-queries.ts'

export type Provider = Awaited<ReturnType<typeof settings.identityProviders.list>>['items'][number]
type GroupRule = Provider['groupMapping'][number]
type Draft = Omit<Provider, 'id' | 'createdAt' | 'updatedAt' | 'createdById' | 'hasSecret'>

const fresh: Draft = {
  slug: '',
  name: '',
  issuer: '',
  clientId: '',
  authMethod: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  domains: [],
  provisioning: 'LINK',
  defaultRoleIds: [],
  groupsClaim: null,
  groupMapping: [],
  trustEmail: false,
  assumesSecondFactor: false,
  rpLogout: false,
  sessionHours: 24,
  isActive: true,
}

const authMethods = [
  { value: 'client_secret_basic', label: 'Secret in the header' },
  { value: 'client_secret_post', label: 'Secret in the body' },
  { value: 'none', label: 'No secret' },
] as const

const provisionings = [
  { value: 'LINK', label: 'Find people by their verified address' },
  { value: 'JIT', label: 'Also make accounts at the first sign-in' },
  { value: 'OFF', label: 'Only people who linked their account' },
] as const

/** Asks for the facts about an identity provider. */
export function ProviderDialog({ provider, onClose }: { readonly provider: Provider | null; onClose(): void }) {
  const { may } = useSession()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data ?? []
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data ?? []
  const [draft, setDraft] = useState<Draft>(() => (provider === null ? fresh : draftOf(provider)))
  const [secret, setSecret] = useState('')
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })
  const save = useChange(
    () => {
      const body = { ...draft, ...(secret === '' ? {} : { clientSecret: secret }) }
      return provider === null
        ? settings.identityProviders.create({ body })
        : settings.identityProviders.update({ params: { id: provider.id }, body })
    },
    { said: 'Saved', stale: ['identity-providers'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const text = (name: 'slug' | 'name' | 'issuer' | 'clientId') => ({
    value: draft[name],
    error: errors[name],
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const toggle = (name: 'trustEmail' | 'assumesSecondFactor' | 'rpLogout' | 'isActive', label: string) => (
    <Switch label={label} checked={draft[name]} onChange={(event) => set({ [name]: event.currentTarget.checked })} />
  )
  const callback = `${window.location.origin}/api/auth/sso/${draft.slug}/callback`
  return (
    <FormDialog
      opened
      title={provider === null ? 'Add provider' : `Edit ${provider.name}`}
      submit="Save"
      size="lg"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Name" placeholder="Okta" data-autofocus {...text('name')} />
        <TextInput label="Name in the address" placeholder="okta" {...text('slug')} />
      </SimpleGrid>
      {draft.slug !== '' && (
        <Stack gap={4}>
          <Text size="sm">Enter this redirect address at the provider:</Text>
          <Group gap="xs">
            <Code>{callback}</Code>
            <CopyButton text={callback} label="Copy the address" />
          </Group>
        </Stack>
      )}
      <TextInput label="Issuer" placeholder="https://example.okta.com" {...text('issuer')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Client ID" {...text('clientId')} />
        <PasswordInput
          label="Client secret"
          description={provider?.hasSecret ? 'Empty: it stays as it is' : undefined}
          value={secret}
          error={errors['clientSecret']}
          autoComplete="off"
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
        />
        <NativeSelect
          label="How the secret is sent"
          value={draft.authMethod}
          data={[...authMethods]}
          onChange={(event) => set({ authMethod: chosen(authMethods, event.currentTarget.value) })}
        />
        <NumberInput
          label="A session lasts"
          suffix=" hours"
          value={draft.sessionHours}
          min={1}
          max={8_760}
          allowDecimal={false}
          error={errors['sessionHours']}
          onChange={(value) => set({ sessionHours: typeof value === 'number' ? value : 24 })}
        />
      </SimpleGrid>
      <NativeSelect
        label="Accounts"
        value={draft.provisioning}
        data={[...provisionings]}
        onChange={(event) => set({ provisioning: chosen(provisionings, event.currentTarget.value) })}
      />
      <TagsInput
        label="Email domains"
        description="People with verified addresses in these domains are found or get an account. They must be verified below."
        value={[...draft.domains]}
        error={errors['domains']}
        onChange={(domains) => set({ domains })}
      />
      {draft.provisioning === 'JIT' && (
        <MultiSelect
          label="Roles of new accounts"
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...draft.defaultRoleIds]}
          error={errors['defaultRoleIds']}
          onChange={(defaultRoleIds) => set({ defaultRoleIds })}
        />
      )}
      <GroupRules
        claim={draft.groupsClaim}
        rules={draft.groupMapping}
        roles={roles}
        departments={departments}
        onChange={set}
      />
      <Fieldset legend="Trust" variant="unstyled">
        <Stack gap="xs">
          {toggle('assumesSecondFactor', 'The provider asks for a second step, so none is asked for here')}
          {toggle('trustEmail', 'An address counts as verified when the provider does not say')}
          {toggle('rpLogout', 'Signing out here signs out at the provider too')}
          {toggle('isActive', 'People can sign in with it')}
        </Stack>
      </Fieldset>
    </FormDialog>
  )
}

interface GroupRulesProps {
  readonly claim: string | null
  readonly rules: readonly GroupRule[]
  readonly roles: readonly Role[]
  readonly departments: readonly Department[]
  onChange(patch: Pick<Draft, 'groupsClaim'> | Pick<Draft, 'groupMapping'>): void
}

/** The roles and departments that follow from groups at the provider. */
function GroupRules({ claim, rules, roles, departments, onChange }: GroupRulesProps) {
  const setRule = (at: number, patch: Partial<GroupRule>) =>
    onChange({ groupMapping: rules.map((rule, index) => (index === at ? { ...rule, ...patch } : rule)) })
  return (
    <Fieldset legend="Groups" variant="unstyled">
      <Stack gap="sm">
        <TextInput
          label="Claim with the groups"
          placeholder="groups"
          value={claim ?? ''}
          autoComplete="off"
          onChange={(event) => onChange({ groupsClaim: event.currentTarget.value || null })}
        />
        {rules.map(({ group, roleIds, departmentId }, at) => (
          <Group key={at} align="end" gap="xs" wrap="nowrap">
            <TextInput
              label="Group"
              value={group}
              required
              withAsterisk={false}
              onChange={(event) => setRule(at, { group: event.currentTarget.value })}
            />
            <MultiSelect
              label="Roles"
              data={roles.map(({ id, name }) => ({ value: id, label: name }))}
              value={[...roleIds]}
              onChange={(ids) => setRule(at, { roleIds: ids })}
            />
            <NativeSelect
              label="Department"
              value={departmentId ?? ''}
              data={[{ value: '', label: 'Unchanged' }, ...departmentChoices(departments, null)]}
              onChange={(event) => setRule(at, { departmentId: event.currentTarget.value || null })}
            />
            <Button
              variant="default"
              aria-label={`Remove the rule for ${group || 'a group'}`}
              onClick={() => onChange({ groupMapping: rules.filter((_, index) => index !== at) })}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            disabled={claim === null}
            onClick={() => onChange({ groupMapping: [...rules, { group: '', roleIds: [], departmentId: null }] })}
          >
            Add rule
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

function draftOf({
  id: _id,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  createdById: _createdById,
  hasSecret: _hasSecret,
  ...draft
}: Provider): Draft {
  return draft
}

function chosen<const Value extends string>(choices: readonly { readonly value: Value }[], value: string): Value {
  return choices.find((choice) => choice.value === value)?.value ?? choices[0]!.value
}
