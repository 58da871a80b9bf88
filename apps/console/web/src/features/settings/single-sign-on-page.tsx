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
    <Page
      title={t('Single sign-on')}
      note={t('People sign in with the account that they have at your company’s identity provider (OpenID Connect).')}
    >
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
    said: t('Identity provider removed'),
    stale: ['identity-providers'],
    onDone: () => setAsked(null),
  })
  return (
    <>
      <TablePanel
        title={t('Identity providers')}
        label={t('Identity providers')}
        reading={providers}
        add={
          <Button variant="default" size="xs" onClick={() => setEdited('new')}>
            {t('Add provider')}
          </Button>
        }
        empty={
          <EmptyState title={t('No identity provider yet')}>
            {t(
              'Register this workspace at Okta, Entra ID, Google or another provider, and enter here what it gives you.',
            )}
          </EmptyState>
        }
        columns={[
          { label: t('Name'), cell: ({ name, issuer }) => <RowTitle note={issuer}>{name}</RowTitle> },
          { label: t('Accounts'), isExtra: true, cell: ({ provisioning }) => provisioningNames[provisioning] },
          {
            label: t('Status'),
            cell: ({ isActive }) => <Pill tone={isActive ? 'green' : 'neutral'}>{isActive ? t('On') : t('Off')}</Pill>,
          },
        ]}
        actions={(provider) => (
          <>
            <RowButton verb={t('Edit')} name={provider.name} onClick={() => setEdited(provider)} />
            <RowButton verb={t('Remove')} name={provider.name} isDestructive onClick={() => setAsked(provider)} />
          </>
        )}
      />
      {edited !== null && (
        <ProviderDialog provider={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Remove this provider?')}
        confirm={t('Remove')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => asked !== null && remove.mutate(asked.id)}
      >
        {t.rich('Nobody signs in with <b>{name}</b> any more. People without another way to sign in need a new one.', {
          name: asked?.name ?? '',
          b: (text) => <b>{text}</b>,
        })}
      </ConfirmDialog>
    </>
  )
}

const provisioningNames = {
  JIT: t('Created at the first sign-in'),
  LINK: t('Matched by address'),
  OFF: t('Linked by hand'),
} as const

function Domains() {
  const domains = useQuery(domainsQuery)
  const [isAdding, setAdding] = useState(false)
  const add = useChange((domain: string) => settings.domains.create({ body: { domain } }), {
    said: t('Domain added'),
    stale: ['domains'],
    onDone: () => setAdding(false),
  })
  const verify = useChange((id: string) => settings.domains.verify({ params: { id } }), {
    said: t('Domain verified'),
    stale: ['domains'],
  })
  const remove = useChange((id: string) => settings.domains.delete({ params: { id } }), {
    said: t('Domain removed'),
    stale: ['domains'],
  })
  const errors = fieldErrors(add.error)
  return (
    <>
      <RefusalAlert error={verify.error ?? remove.error} />
      <TablePanel
        title={t('Domains')}
        note={t('Accounts are matched by address only in verified domains.')}
        label={t('Domains')}
        reading={domains}
        add={
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('Add domain')}
          </Button>
        }
        empty={<EmptyState title={t('No domain yet')} />}
        columns={[
          { label: t('Domain'), cell: (domain) => <DomainCell domain={domain} /> },
          {
            label: t('Status'),
            cell: ({ status }) =>
              status === 'VERIFIED' ? (
                <Pill tone="green">{t('Verified')}</Pill>
              ) : (
                <Pill tone="amber">{t('Not verified')}</Pill>
              ),
          },
        ]}
        actions={({ id, domain, status }) => (
          <>
            {status === 'PENDING' && (
              <RowButton
                verb={t('Verify')}
                name={domain}
                isBusy={verify.isPending && verify.variables === id}
                onClick={() => verify.mutate(id)}
              />
            )}
            <RowButton
              verb={t('Remove')}
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
        title={t('Add domain')}
        submit={t('Add')}
        isBusy={add.isPending}
        error={add.error}
        onSubmit={(form) => add.mutate(textIn(form, 'domain').trim())}
        onClose={() => setAdding(false)}
      >
        <TextInput
          name="domain"
          label={t('Domain')}
          placeholder={t('example.com')}
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
        {t('Publish this TXT record, then verify:')}
      </Text>
      <Group gap="xs">
        <Code>
          {record.name} {record.value}
        </Code>
        <CopyButton text={record.value} label={t('Copy the value')} />
      </Group>
    </Stack>
  )
}
