import { Button, Modal, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { Age } from '../../shell/age.tsx'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { automationKey, deliveriesQuery, type Delivery } from './automation-queries.ts'
import { deliveryStateNames, deliveryTones } from './automation-words.ts'
import { CodeBlock } from './code-block.tsx'
import { HiddenNote } from './hidden-note.tsx'

/** The log of requests that a rule or a run has sent. */
export function DeliveriesPanel({ of }: { readonly of: { readonly ruleId: string } | { readonly runId: string } }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Delivery | null>(null)
  const { data, error } = useQuery(deliveriesQuery(of, page))
  return (
    <Panel title="Requests" flush>
      <RefusalAlert error={error} />
      {data?.total === 0 && <EmptyState title="No request was sent" />}
      {data !== undefined && data.total > 0 && (
        <table className={tables.table} aria-label="Requests">
          <thead><tr><th scope="col">When</th><th scope="col">Request</th><th scope="col" data-extra>Answer</th><th scope="col">State</th><th scope="col"><span className={tables.spoken}>Actions</span></th></tr></thead>
          <tbody>
            {data.items.map((delivery) => (
              <tr key={delivery.id}>
                <td><Age at={delivery.attemptedAt} /></td>
                <td><div className={tables.title}>{`${delivery.request.method} ${delivery.request.url}`}</div>{delivery.redeliveryOf !== null && <div className={tables.note}>Sent again</div>}{delivery.isTest && <div className={tables.note}>Test</div>}</td>
                <td data-extra>{delivery.error ?? (delivery.status === null ? '–' : `${delivery.status} in ${delivery.durationMs ?? 0} ms`)}</td>
                <td><Pill tone={deliveryTones[delivery.state]}>{deliveryStateNames[delivery.state]}</Pill></td>
                <td><div className={tables.actions}><Button variant="default" size="xs" onClick={() => setOpened(delivery)}>Look</Button><RedeliverButton delivery={delivery} /></div></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
      <Modal opened={opened !== null} onClose={() => setOpened(null)} title="Request and answer" size="lg">{opened && <DeliveryView delivery={opened} />}</Modal>
    </Panel>
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
  return <Button variant="default" size="xs" loading={redeliver.isPending} disabled={state === 'SENDING' || isHidden} onClick={() => redeliver.mutate()}>Send again</Button>
}

/** A request with its answer. */
export function DeliveryView({ delivery: { request, status, durationMs, error, responseBody, isHidden }, label }: { readonly delivery: Delivery; readonly label?: string }) {
  return (
    <Stack gap="sm" {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}>
      <Facts facts={[['Address', request.url], ['Method', request.method], ['Status', status], ['Time', durationMs === null ? null : `${durationMs} ms`], ['Problem', error]]} />
      <CodeBlock label="Headers of the request" value={request.headers} />
      {isHidden ? <HiddenNote /> : (
        <>
          <CodeBlock label="Body of the request" value={request.body ?? ''} />
          <CodeBlock label="Body of the answer" value={responseBody ?? ''} />
        </>
      )}
    </Stack>
  )
}
