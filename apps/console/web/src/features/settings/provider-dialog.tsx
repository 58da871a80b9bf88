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
  const text = (name: 'slug' | 'name' | 'issuer' | 'clientId') => ({
    value: draft[name],
    error: errors[name],
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
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
        <TextInput label={t('common.name')} placeholder={t('settings.okta')} data-autofocus {...text('name')} />
        <TextInput label={t('settings.nameInTheAddress')} placeholder={t('settings.okta2')} {...text('slug')} />
      </SimpleGrid>
      {draft.slug !== '' && <RedirectAddress slug={draft.slug} />}
      <TextInput label={t('settings.issuer')} placeholder={t('settings.httpsExampleOktaCom')} {...text('issuer')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('settings.clientId')} {...text('clientId')} />
        <PasswordInput
          label={t('settings.clientSecret')}
          description={provider?.hasSecret ? t('settings.leaveEmptyToKeep') : undefined}
          value={secret}
          error={errors['clientSecret']}
          autoComplete="off"
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('settings.showTheSecret') }}
        />
        <NativeSelect
          label={t('settings.howTheSecretIsSent')}
          value={draft.authMethod}
          data={[...authMethods]}
          onChange={(event) => set({ authMethod: chosen(authMethods, event.currentTarget.value) })}
        />
        <NumberInput
          label={t('settings.aSessionLasts')}
          suffix={t('settings.suffixes.hours')}
          value={draft.sessionHours}
          min={1}
          max={8_760}
          allowDecimal={false}
          error={errors['sessionHours']}
          onChange={(value) => set({ sessionHours: typeof value === 'number' ? value : 24 })}
        />
      </SimpleGrid>
      <Accounts draft={draft} roles={roles} errors={errors} onChange={set} />
      <GroupRules
        claim={draft.groupsClaim}
        rules={draft.groupMapping}
        roles={roles}
        departments={departments}
        onChange={set}
      />
      <Trust draft={draft} onChange={set} />
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

interface AccountsProps {
  readonly draft: Draft
  readonly roles: readonly Role[]
  readonly errors: Readonly<Record<string, string>>
  onChange(patch: Partial<Draft>): void
}

/** Whose accounts the provider leads to. */
function Accounts({ draft, roles, errors, onChange }: AccountsProps) {
  return (
    <>
      <NativeSelect
        label={t('settings.accounts')}
        value={draft.provisioning}
        data={[...provisionings]}
        onChange={(event) => onChange({ provisioning: chosen(provisionings, event.currentTarget.value) })}
      />
      <TagsInput
        label={t('settings.emailDomains')}
        description={t('settings.peopleWithVerifiedAddressesIn')}
        value={[...draft.domains]}
        error={errors['domains']}
        onChange={(domains) => onChange({ domains })}
      />
      {draft.provisioning === 'JIT' && (
        <MultiSelect
          label={t('settings.rolesOfNewAccounts')}
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...draft.defaultRoleIds]}
          error={errors['defaultRoleIds']}
          onChange={(defaultRoleIds) => onChange({ defaultRoleIds })}
        />
      )}
    </>
  )
}

/** What the workspace believes the provider, and whether it is in use. */
function Trust({ draft, onChange }: { readonly draft: Draft; onChange(patch: Partial<Draft>): void }) {
  const toggle = (name: 'trustEmail' | 'assumesSecondFactor' | 'rpLogout' | 'isActive', label: string) => (
    <Switch
      label={label}
      checked={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <Fieldset legend={t('settings.trust')} variant="unstyled">
      <Stack gap="xs">
        {toggle('assumesSecondFactor', t('settings.theProviderAsksForA'))}
        {toggle('trustEmail', t('settings.anAddressCountsAsVerified'))}
        {toggle('rpLogout', t('settings.signingOutHereSignsOut'))}
        {toggle('isActive', t('settings.peopleCanSignInWith'))}
      </Stack>
    </Fieldset>
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
    <Fieldset legend={t('settings.groups')} variant="unstyled">
      <Stack gap="sm">
        <TextInput
          label={t('settings.claimWithTheGroups')}
          placeholder={t('settings.groups2')}
          value={claim ?? ''}
          autoComplete="off"
          onChange={(event) => onChange({ groupsClaim: event.currentTarget.value || null })}
        />
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
              data={roles.map(({ id, name }) => ({ value: id, label: name }))}
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
              onClick={() => onChange({ groupMapping: rules.filter((_, index) => index !== at) })}
            >
              {t('common.remove')}
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
            {t('settings.addRule')}
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
