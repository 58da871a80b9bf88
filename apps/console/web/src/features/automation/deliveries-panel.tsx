import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { automationKey, deliveriesQuery, type Delivery } from './automation-queries.ts'
import { deliveryStateNames, deliveryTones } from './automation-words.ts'
import { CodeBlock } from './code-block.tsx'
import { HiddenNote } from './hidden-note.tsx'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** The log of the requests of a rule or a run. */
export function DeliveriesPanel({ of }: { readonly of: { readonly ruleId: string } | { readonly runId: string } }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Delivery | null>(null)
  const deliveries = useQuery(deliveriesQuery(of, page))
  return (
    <>
      <TablePanel
        title={t('Requests')}
        label={t('Requests')}
        reading={deliveries}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('No request was sent')} />}
        columns={[
          { label: t('When'), cell: ({ attemptedAt }) => <Age at={attemptedAt} /> },
          {
            label: t('Request'),
            cell: ({ request, redeliveryOf, isTest }) => (
              <RowTitle
                note={[redeliveryOf !== null && t('Resent'), isTest && t('Test')].filter(Boolean).join(' · ') || null}
              >{`${request.method} ${request.url}`}</RowTitle>
            ),
          },
          {
            label: t('Response'),
            isExtra: true,
            cell: ({ error, status, durationMs }) =>
              error ??
              (status === null ? '–' : t('{status} in {durationMs} ms', { status, durationMs: durationMs ?? 0 })),
          },
          {
            label: t('Status'),
            cell: ({ state }) => <Pill tone={deliveryTones[state]}>{deliveryStateNames[state]}</Pill>,
          },
        ]}
        actions={(delivery) => (
          <>
            <Button variant="default" size="xs" onClick={() => setOpened(delivery)}>
              {t('View run')}
            </Button>
            <RedeliverButton delivery={delivery} />
          </>
        )}
      />
      <Dialog opened={opened !== null} onClose={() => setOpened(null)} title={t('Request and response')} size="lg">
        {opened && <DeliveryView delivery={opened} />}
      </Dialog>
    </>
  )
}

function RedeliverButton({ delivery: { id, state, isHidden } }: { readonly delivery: Delivery }) {
  const client = useQueryClient()
  const redeliver = useMutation({
    mutationFn: () => settings.deliveries.redeliver({ params: { id } }),
    onSuccess: ({ data }) => {
      notify(data.state === 'SUCCEEDED' ? t('Resent successfully') : t('Resending failed'))
      return client.invalidateQueries({ queryKey: automationKey })
    },
    onError: () => notify(t('Could not resend')),
  })
  return (
    <Button
      variant="default"
      size="xs"
      loading={redeliver.isPending}
      disabled={state === 'SENDING' || isHidden}
      onClick={() => redeliver.mutate()}
    >
      {t('Send again')}
    </Button>
  )
}

/** A request with its answer. */
export function DeliveryView({
  delivery: { request, status, durationMs, error, responseBody, truncated, isHidden },
  label,
}: {
  readonly delivery: Delivery
  readonly label?: string
}) {
  return (
    <Stack gap="sm" {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}>
      <Facts
        facts={[
          [t('Address'), request.url],
          [t('Method'), request.method],
          [t('Status'), status],
          [t('Time', { context: 'that passed' }), durationMs === null ? null : t('{durationMs} ms', { durationMs })],
          [t('Error'), error],
        ]}
      />
      <CodeBlock label={t('Headers of the request')} value={request.headers} />
      {isHidden ? (
        <HiddenNote />
      ) : (
        <>
          <CodeBlock label={t('Body of the request')} value={request.body ?? ''} />
          <CodeBlock label={t('Response')} value={responseBody ?? ''} />
          {truncated && <p>{t('The answer goes on; only its beginning is kept.')}</p>}
        </>
      )}
    </Stack>
  )
}
