import {
  Button,
  Code,
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
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
import { fieldsOf } from '../../shell/body-fields.tsx'
import { bodyRules } from '../../shell/body-rules.built.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { departmentChoices } from './department-choice.tsx'
import { departmentsQuery, rolesQuery, type Department, type Role } from './settings-queries.ts'
import { t } from './texts.ts'

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
  { value: 'client_secret_basic', label: t('Secret in the header') },
  { value: 'client_secret_post', label: t('Secret in the body') },
  { value: 'none', label: t('No secret') },
] as const

const provisionings = [
  { value: 'LINK', label: t('Find people by their verified address') },
  { value: 'JIT', label: t('Also create accounts at the first sign-in') },
  { value: 'OFF', label: t('Only people who linked their account') },
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
    { said: t('Saved'), stale: ['identity-providers'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const field = fieldsOf({
    rules: bodyRules.identityProvider,
    values: draft,
    errors,
    onChange: set,
  })
  return (
    <FormDialog
      opened
      title={provider === null ? t('Add provider') : t('Edit {name}', { name: provider.name })}
      submit={t('Save')}
      size="lg"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('name', { label: t('Name'), placeholder: t('Okta'), isFirst: true })}
        {field('slug', { label: t('Name in the address'), placeholder: t('okta') })}
      </SimpleGrid>
      {draft.slug !== '' && <RedirectAddress slug={draft.slug} />}
      {field('issuer', { label: t('Issuer'), placeholder: t('https://example.okta.com') })}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('clientId', { label: t('Client ID') })}
        <PasswordInput
          label={t('Client secret')}
          description={provider?.hasSecret ? t('Leave empty to keep') : undefined}
          value={secret}
          error={errors['clientSecret']}
          autoComplete="off"
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('Show the secret') }}
        />
        {field('authMethod', { label: t('How the secret is sent'), choices: authMethods })}
        {field('sessionHours', { label: t('A session lasts'), suffix: t(' hours') })}
      </SimpleGrid>
      {field('provisioning', { label: t('Accounts'), choices: provisionings })}
      {field('domains', {
        label: t('Email domains'),
        description: t(
          'People with verified addresses in these domains are matched or get an account. Verify the domains below.',
        ),
      })}
      {draft.provisioning === 'JIT' &&
        field('defaultRoleIds', { label: t('Roles of new accounts'), choices: choicesOf(roles) })}
      <Fieldset legend={t('Groups')} variant="unstyled">
        <Stack gap="sm">
          {field('groupsClaim', { label: t('Claim with the groups'), placeholder: t('groups') })}
          <GroupRules
            isPossible={draft.groupsClaim !== null}
            rules={draft.groupMapping}
            roles={roles}
            departments={departments}
            onChange={(groupMapping) => set({ groupMapping })}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('Trust')} variant="unstyled">
        <Stack gap="xs">
          {field('assumesSecondFactor', { label: t('The provider asks for a second step, so none is asked for here') })}
          {field('trustEmail', { label: t('An address counts as verified when the provider does not say') })}
          {field('rpLogout', { label: t('Signing out here signs out at the provider too') })}
          {field('isActive', { label: t('People can sign in with it') })}
        </Stack>
      </Fieldset>
    </FormDialog>
  )
}

/** The address that the provider sends people back to. */
function RedirectAddress({ slug }: { readonly slug: string }) {
  const callback = `${window.location.origin}/api/auth/sso/${slug}/callback`
  return (
    <Stack gap={4}>
      <Text size="sm">{t('Enter this redirect address at the provider:')}</Text>
      <Group gap="xs">
        <Code>{callback}</Code>
        <CopyButton text={callback} label={t('Copy link')} />
      </Group>
    </Stack>
  )
}

interface GroupRulesProps {
  /** Whether the provider names groups. */
  readonly isPossible: boolean
  readonly rules: readonly GroupRule[]
  readonly roles: readonly Role[]
  readonly departments: readonly Department[]
  onChange(rules: GroupRule[]): void
}

/** The roles and departments that follow from groups at the provider. */
function GroupRules({ isPossible, rules, roles, departments, onChange }: GroupRulesProps) {
  const setRule = (at: number, patch: Partial<GroupRule>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...patch } : rule)))
  return (
    <>
      {rules.map(({ group, roleIds, departmentId }, at) => (
        <Group key={at} align="end" gap="xs" wrap="nowrap">
          <TextInput
            label={t('Group')}
            value={group}
            required
            withAsterisk={false}
            onChange={(event) => setRule(at, { group: event.currentTarget.value })}
          />
          <MultiSelect
            label={t('Roles')}
            data={choicesOf(roles)}
            value={[...roleIds]}
            onChange={(ids) => setRule(at, { roleIds: ids })}
          />
          <NativeSelect
            label={t('Department')}
            value={departmentId ?? ''}
            data={[{ value: '', label: t('Unchanged') }, ...departmentChoices(departments, null)]}
            onChange={(event) => setRule(at, { departmentId: event.currentTarget.value || null })}
          />
          <Button
            variant="default"
            aria-label={t('Remove the rule for {group}', { group: group || t('a group') })}
            onClick={() => onChange(rules.filter((_, index) => index !== at))}
          >
            {t('Remove')}
          </Button>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={!isPossible}
          onClick={() => onChange([...rules, { group: '', roleIds: [], departmentId: null }])}
        >
          {t('Add rule')}
        </Button>
      </Group>
    </>
  )
}

const choicesOf = (roles: readonly Role[]) => roles.map(({ id, name }) => ({ value: id, label: name }))

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
