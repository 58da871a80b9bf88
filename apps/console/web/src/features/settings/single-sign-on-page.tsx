import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allItems } from '../../base/all-items.ts'
import { settings } from '../../base/api.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { textIn } from '../../base/form-text.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { ProviderDialog, type Provider } from './provider-dialog.tsx'
import { t } from './texts.ts'

type Domain = Awaited<ReturnType<typeof settings.domains.list>>['items'][number]

const providersQuery = queryOptions({
  queryKey: ['identity-providers'],
  queryFn: ({ signal }) =>
    allItems((page) => settings.identityProviders.list({ query: { page, pageSize: 100 }, signal })),
})

const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: ({ signal }) => allItems((page) => settings.domains.list({ query: { page, pageSize: 100 }, signal })),
})

/** The identity providers with which people sign in, and the domains whose addresses belong to the workspace. */
export function SingleSignOnPage() {
  return (
    <Page title={t('settings.singleSignOn')} note={t('settings.peopleSignInWithThe')}>
      <Providers />
      <Domains />
    </Page>
  )
}

function Providers() {
  const providers = useQuery(providersQuery)
  const [edited, setEdited] = useState<Provider | 'new' | null>(null)
  const [asked, setAsked] = useState<Provider | null>(null)
  const remove = useChange((id: string) => settings.identityProviders.delete({ params: { id } }), {
    said: t('settings.identityProviderRemoved'),
    stale: ['identity-providers'],
    onDone: () => setAsked(null),
  })
  return (
    <>
      <TablePanel
        title={t('settings.identityProviders')}
        label={t('settings.identityProviders')}
        reading={providers}
        add={
          <Button variant="default" size="xs" onClick={() => setEdited('new')}>
            {t('settings.addProvider')}
          </Button>
        }
        empty={
          <EmptyState title={t('settings.noIdentityProviderYet')}>
            {t('settings.registerThisWorkspaceAtOkta')}
          </EmptyState>
        }
        columns={[
          { label: t('common.name'), cell: ({ name, issuer }) => <RowTitle note={issuer}>{name}</RowTitle> },
          { label: t('settings.accounts'), isExtra: true, cell: ({ provisioning }) => provisioningNames[provisioning] },
          {
            label: t('common.status'),
            cell: ({ isActive }) => (
              <Pill tone={isActive ? 'green' : 'neutral'}>{isActive ? t('settings.on') : t('common.off')}</Pill>
            ),
          },
        ]}
        actions={(provider) => (
          <>
            <RowButton verb={t('common.edit')} name={provider.name} onClick={() => setEdited(provider)} />
            <RowButton
              verb={t('common.remove')}
              name={provider.name}
              isDestructive
              onClick={() => setAsked(provider)}
            />
          </>
        )}
      />
      {edited !== null && (
        <ProviderDialog provider={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('settings.removeThisProvider')}
        confirm={t('common.remove')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => asked !== null && remove.mutate(asked.id)}
      >
        {t.rich('settings.nobodySignsInWithName', { name: asked?.name ?? '', b: (text) => <b>{text}</b> })}
      </ConfirmDialog>
    </>
  )
}

const provisioningNames = {
  JIT: t('settings.madeAtTheFirstSign'),
  LINK: t('settings.matchedByAddress'),
  OFF: t('settings.linkedByHand'),
} as const

function Domains() {
  const domains = useQuery(domainsQuery)
  const [isAdding, setAdding] = useState(false)
  const add = useChange((domain: string) => settings.domains.create({ body: { domain } }), {
    said: t('settings.domainAdded'),
    stale: ['domains'],
    onDone: () => setAdding(false),
  })
  const verify = useChange((id: string) => settings.domains.verify({ params: { id } }), {
    said: t('settings.domainVerified'),
    stale: ['domains'],
  })
  const remove = useChange((id: string) => settings.domains.delete({ params: { id } }), {
    said: t('settings.domainRemoved'),
    stale: ['domains'],
  })
  const errors = fieldErrors(add.error)
  return (
    <>
      <RefusalAlert error={verify.error ?? remove.error} />
      <TablePanel
        title={t('settings.domains')}
        note={t('settings.accountsAreFoundByAddress')}
        label={t('settings.domains')}
        reading={domains}
        add={
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('settings.addDomain')}
          </Button>
        }
        empty={<EmptyState title={t('settings.noDomainYet')} />}
        columns={[
          { label: t('settings.domain'), cell: (domain) => <DomainCell domain={domain} /> },
          {
            label: t('common.status'),
            cell: ({ status }) =>
              status === 'VERIFIED' ? (
                <Pill tone="green">{t('settings.verified')}</Pill>
              ) : (
                <Pill tone="amber">{t('settings.notVerified')}</Pill>
              ),
          },
        ]}
        actions={({ id, domain, status }) => (
          <>
            {status === 'PENDING' && (
              <RowButton
                verb={t('settings.verify')}
                name={domain}
                isBusy={verify.isPending && verify.variables === id}
                onClick={() => verify.mutate(id)}
              />
            )}
            <RowButton
              verb={t('common.remove')}
              name={domain}
              isDestructive
              isBusy={remove.isPending && remove.variables === id}
              onClick={() => remove.mutate(id)}
            />
          </>
        )}
      />
      <FormDialog
        opened={isAdding}
        title={t('settings.addDomain')}
        submit={t('common.add')}
        isBusy={add.isPending}
        error={add.error}
        onSubmit={(form) => add.mutate(textIn(form, 'domain').trim())}
        onClose={() => setAdding(false)}
      >
        <TextInput
          name="domain"
          label={t('settings.domain')}
          placeholder={t('settings.exampleCom')}
          error={errors['domain']}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
      </FormDialog>
    </>
  )
}

function DomainCell({ domain: { domain, status, record } }: { readonly domain: Domain }) {
  if (status === 'VERIFIED') return <RowTitle>{domain}</RowTitle>
  return (
    <Stack gap={4}>
      <RowTitle>{domain}</RowTitle>
      <Text size="xs" c="dimmed">
        {t('settings.publishThisTxtRecordThen')}
      </Text>
      <Group gap="xs">
        <Code>
          {record.name} {record.value}
        </Code>
        <CopyButton text={record.value} label={t('settings.copyTheValue')} />
      </Group>
    </Stack>
  )
}
