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
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** The log of the requests of a rule or a run. */
export function DeliveriesPanel({ of }: { readonly of: { readonly ruleId: string } | { readonly runId: string } }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Delivery | null>(null)
  const deliveries = useQuery(deliveriesQuery(of, page))
  return (
    <>
      <TablePanel
        title={t('automation.requests')}
        label={t('automation.requests')}
        reading={deliveries}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('automation.noRequestWasSent')} />}
        columns={[
          { label: t('common.when'), cell: ({ attemptedAt }) => <Age at={attemptedAt} /> },
          {
            label: t('automation.request'),
            cell: ({ request, redeliveryOf, isTest }) => (
              <RowTitle
                note={
                  [redeliveryOf !== null && t('automation.resent'), isTest && t('automation.test')]
                    .filter(Boolean)
                    .join(' · ') || null
                }
              >{`${request.method} ${request.url}`}</RowTitle>
            ),
          },
          {
            label: t('automation.answer'),
            isExtra: true,
            cell: ({ error, status, durationMs }) =>
              error ??
              (status === null ? '–' : t('automation.statusInDurationmsMs', { status, durationMs: durationMs ?? 0 })),
          },
          {
            label: t('common.status'),
            cell: ({ state }) => <Pill tone={deliveryTones[state]}>{deliveryStateNames[state]}</Pill>,
          },
        ]}
        actions={(delivery) => (
          <>
            <Button variant="default" size="xs" onClick={() => setOpened(delivery)}>
              {t('automation.viewRun')}
            </Button>
            <RedeliverButton delivery={delivery} />
          </>
        )}
      />
      <Dialog
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={t('automation.requestAndAnswer')}
        size="lg"
      >
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
      notify(data.state === 'SUCCEEDED' ? t('automation.resentSuccessfully') : t('automation.resendingFailed'))
      return client.invalidateQueries({ queryKey: automationKey })
    },
    onError: () => notify(t('automation.couldNotResend')),
  })
  return (
    <Button
      variant="default"
      size="xs"
      loading={redeliver.isPending}
      disabled={state === 'SENDING' || isHidden}
      onClick={() => redeliver.mutate()}
    >
      {t('automation.sendAgain')}
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
          [t('common.address'), request.url],
          [t('automation.method'), request.method],
          [t('common.status'), status],
          [t('automation.time'), durationMs === null ? null : t('automation.durationmsMs', { durationMs })],
          [t('automation.error'), error],
        ]}
      />
      <CodeBlock label={t('automation.headersOfTheRequest')} value={request.headers} />
      {isHidden ? (
        <HiddenNote />
      ) : (
        <>
          <CodeBlock label={t('automation.bodyOfTheRequest')} value={request.body ?? ''} />
          <CodeBlock label={t('automation.response')} value={responseBody ?? ''} />
          {truncated && <p>{t('automation.answerGoesOn')}</p>}
        </>
      )}
    </Stack>
  )
}
