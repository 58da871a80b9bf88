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
  { value: 'client_secret_basic', label: t('settings.secretInTheHeader') },
  { value: 'client_secret_post', label: t('settings.secretInTheBody') },
  { value: 'none', label: t('settings.noSecret') },
] as const

const provisionings = [
  { value: 'LINK', label: t('settings.findPeopleByTheirVerified') },
  { value: 'JIT', label: t('settings.alsoMakeAccountsAtThe') },
  { value: 'OFF', label: t('settings.onlyPeopleWhoLinkedTheir') },
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
    { said: t('common.saved'), stale: ['identity-providers'], onDone: onClose },
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
      title={provider === null ? t('settings.addProvider') : t('settings.editName', { name: provider.name })}
      submit={t('common.save')}
      size="lg"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('name', { label: t('common.name'), placeholder: t('settings.okta'), isFirst: true })}
        {field('slug', { label: t('settings.nameInTheAddress'), placeholder: t('settings.okta2') })}
      </SimpleGrid>
      {draft.slug !== '' && <RedirectAddress slug={draft.slug} />}
      {field('issuer', { label: t('settings.issuer'), placeholder: t('settings.httpsExampleOktaCom') })}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('clientId', { label: t('settings.clientId') })}
        <PasswordInput
          label={t('settings.clientSecret')}
          description={provider?.hasSecret ? t('settings.leaveEmptyToKeep') : undefined}
          value={secret}
          error={errors['clientSecret']}
          autoComplete="off"
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('settings.showTheSecret') }}
        />
        {field('authMethod', { label: t('settings.howTheSecretIsSent'), choices: authMethods })}
        {field('sessionHours', { label: t('settings.aSessionLasts'), suffix: t('settings.suffixes.hours') })}
      </SimpleGrid>
      {field('provisioning', { label: t('settings.accounts'), choices: provisionings })}
      {field('domains', {
        label: t('settings.emailDomains'),
        description: t('settings.peopleWithVerifiedAddressesIn'),
      })}
      {draft.provisioning === 'JIT' &&
        field('defaultRoleIds', { label: t('settings.rolesOfNewAccounts'), choices: choicesOf(roles) })}
      <Fieldset legend={t('settings.groups')} variant="unstyled">
        <Stack gap="sm">
          {field('groupsClaim', { label: t('settings.claimWithTheGroups'), placeholder: t('settings.groups2') })}
          <GroupRules
            isPossible={draft.groupsClaim !== null}
            rules={draft.groupMapping}
            roles={roles}
            departments={departments}
            onChange={(groupMapping) => set({ groupMapping })}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('settings.trust')} variant="unstyled">
        <Stack gap="xs">
          {field('assumesSecondFactor', { label: t('settings.theProviderAsksForA') })}
          {field('trustEmail', { label: t('settings.anAddressCountsAsVerified') })}
          {field('rpLogout', { label: t('settings.signingOutHereSignsOut') })}
          {field('isActive', { label: t('settings.peopleCanSignInWith') })}
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
      <Text size="sm">{t('settings.enterThisRedirectAddressAt')}</Text>
      <Group gap="xs">
        <Code>{callback}</Code>
        <CopyButton text={callback} label={t('common.copyLink')} />
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
            label={t('settings.group')}
            value={group}
            required
            withAsterisk={false}
            onChange={(event) => setRule(at, { group: event.currentTarget.value })}
          />
          <MultiSelect
            label={t('settings.roles')}
            data={choicesOf(roles)}
            value={[...roleIds]}
            onChange={(ids) => setRule(at, { roleIds: ids })}
          />
          <NativeSelect
            label={t('settings.department')}
            value={departmentId ?? ''}
            data={[{ value: '', label: t('settings.unchanged') }, ...departmentChoices(departments, null)]}
            onChange={(event) => setRule(at, { departmentId: event.currentTarget.value || null })}
          />
          <Button
            variant="default"
            aria-label={t('settings.removeTheRuleFor', { group: group || t('settings.aGroup') })}
            onClick={() => onChange(rules.filter((_, index) => index !== at))}
          >
            {t('common.remove')}
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
          {t('settings.addRule')}
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
