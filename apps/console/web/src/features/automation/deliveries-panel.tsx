import { Button, Modal, Stack } from '@mantine/core'
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

/** The log of the requests of a rule or a run. */
export function DeliveriesPanel({ of }: { readonly of: { readonly ruleId: string } | { readonly runId: string } }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Delivery | null>(null)
  const deliveries = useQuery(deliveriesQuery(of, page))
  return (
    <>
      <TablePanel
        title="Requests"
        label="Requests"
        reading={deliveries}
        page={page}
        onPage={setPage}
        empty={<EmptyState title="No request was sent" />}
        columns={[
          { label: 'When', cell: ({ attemptedAt }) => <Age at={attemptedAt} /> },
          {
            label: 'Request',
            cell: ({ request, redeliveryOf, isTest }) => (
              <RowTitle
                note={[redeliveryOf !== null && 'Sent again', isTest && 'Test'].filter(Boolean).join(' · ') || null}
              >{`${request.method} ${request.url}`}</RowTitle>
            ),
          },
          {
            label: 'Answer',
            isExtra: true,
            cell: ({ error, status, durationMs }) =>
              error ?? (status === null ? '–' : `${status} in ${durationMs ?? 0} ms`),
          },
          { label: 'State', cell: ({ state }) => <Pill tone={deliveryTones[state]}>{deliveryStateNames[state]}</Pill> },
        ]}
        actions={(delivery) => (
          <>
            <Button variant="default" size="xs" onClick={() => setOpened(delivery)}>
              Look
            </Button>
            <RedeliverButton delivery={delivery} />
          </>
        )}
      />
      <Modal opened={opened !== null} onClose={() => setOpened(null)} title="Request and answer" size="lg">
        {opened && <DeliveryView delivery={opened} />}
      </Modal>
    </>
  )
}

function RedeliverButton({ delivery: { id, state, isHidden } }: { readonly delivery: Delivery }) {
  const client = useQueryClient()
  const redeliver = useMutation({
    mutationFn: () => settings.deliveries.redeliver({ params: { id } }),
    onSuccess: ({ data }) => {
      notify(data.state === 'SUCCEEDED' ? 'Sent again, with success' : 'Sent again, without success')
      return client.invalidateQueries({ queryKey: automationKey })
    },
    onError: () => notify('It could not be sent again'),
  })
  return (
    <Button
      variant="default"
      size="xs"
      loading={redeliver.isPending}
      disabled={state === 'SENDING' || isHidden}
      onClick={() => redeliver.mutate()}
    >
      Send again
    </Button>
  )
}

/** A request with its answer. */
export function DeliveryView({
  delivery: { request, status, durationMs, error, responseBody, isHidden },
  label,
}: {
  readonly delivery: Delivery
  readonly label?: string
}) {
  return (
    <Stack gap="sm" {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}>
      <Facts
        facts={[
          ['Address', request.url],
          ['Method', request.method],
          ['Status', status],
          ['Time', durationMs === null ? null : `${durationMs} ms`],
          ['Problem', error],
        ]}
      />
      <CodeBlock label="Headers of the request" value={request.headers} />
      {isHidden ? (
        <HiddenNote />
      ) : (
        <>
          <CodeBlock label="Body of the request" value={request.body ?? ''} />
          <CodeBlock label="Body of the answer" value={responseBody ?? ''} />
        </>
      )}
    </Stack>
  )
}
