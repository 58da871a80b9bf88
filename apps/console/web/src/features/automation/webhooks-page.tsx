import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allItems } from '../../base/all-items.ts'
import { settings } from '../../base/api.ts'
import { t } from './texts.ts'
import { RecordTable, RowTitle } from '../../records/record-table.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'

const webhooksQuery = queryOptions({
  queryKey: ['workflows', 'webhooks'],
  queryFn: async ({ signal }) =>
    (await allItems((page) => settings.workflows.list({ query: { page, pageSize: 100 }, signal }))).filter(
      ({ trigger }) => trigger.type === 'WEBHOOK',
    ),
})

/** The addresses by which other systems start workflows. */
export function WebhooksPage() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  return (
    <Page
      title={t('Webhooks')}
      note={t('Addresses that other systems call to start workflows.')}
      actions={
        <Button
          leftSection={<Icon name="plus" size={16} />}
          renderRoot={(props: object) => <Link to="/automation" {...props} />}
        >
          {t('New workflow')}
        </Button>
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      <Panel flush>
        {data === undefined && error === null && <LoadingLines label={t('Loading webhooks')} />}
        {data?.length === 0 && (
          <EmptyState title={t('No webhooks yet')}>
            {t('Create a workflow and choose “Webhook is called” as its start.')}
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <RecordTable
            label={t('Webhooks')}
            rows={data}
            columns={[
              {
                label: t('Workflow'),
                cell: ({ id, name }) => (
                  <RowTitle>
                    <Link to="/automation/$id" params={{ id }}>
                      {name}
                    </Link>
                  </RowTitle>
                ),
              },
              {
                label: t('Status'),
                cell: ({ status }) => (
                  <Pill tone={status === 'PUBLISHED' ? 'green' : 'neutral'}>
                    {status === 'PUBLISHED' ? t('On') : t('Paused')}
                  </Pill>
                ),
              },
              {
                label: t('Address'),
                isExtra: true,
                cell: ({ url }) => url ?? t('Created when the workflow is turned on'),
              },
            ]}
            actions={({ url }) => typeof url === 'string' && <CopyButton text={url} label={t('Copy link')} />}
          />
        )}
      </Panel>
    </Page>
  )
}
