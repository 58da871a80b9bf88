import { quotaEntities, storageQuota } from '@crm/permissions'
import { Progress } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { describeSize } from '../../base/file-size.ts'
import { capitalized, inDigits } from '../../base/texts.ts'
import { pluralOfKnown } from '../../records/kind-words.ts'
import { RecordTable, RowTitle } from '../../records/record-table.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from './texts.ts'

const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: async ({ signal }) => (await settings.usage.get({ signal })).data,
})

type Quota = Awaited<ReturnType<typeof settings.usage.get>>['data'][number]

/** How much of its limits the workspace uses. */
export function UsagePage() {
  const { data, error, refetch } = useQuery(usageQuery)
  return (
    <Page title={t('Usage')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && (
        <Panel>
          <LoadingLines lines={6} label={t('Loading usage')} />
        </Panel>
      )}
      {data && (
        <Panel flush>
          <RecordTable
            label={t('Usage')}
            rows={data.map((quota) => ({ ...quota, id: quota.quota }))}
            columns={[
              { label: t('Limit'), cell: ({ quota }) => <RowTitle>{quotaName(quota)}</RowTitle> },
              { label: t('Used'), cell: inWords },
              { label: t('Share'), isExtra: true, cell: (quota) => <Share {...quota} /> },
            ]}
          />
        </Panel>
      )}
    </Page>
  )
}

function inWords({ quota, used, limit }: Quota): string {
  const words = (count: number): string => (quota === storageQuota ? describeSize(count) : inDigits(count))
  return limit === null
    ? t('{quota}, without a limit', { quota: words(used) })
    : t('{quota} of {quota2}', { quota: words(used), quota2: words(limit) })
}

/** The used part of a limit as a bar; amber from four fifths, red when nothing is left. */
function Share({ quota, used, limit }: Quota) {
  if (limit === null) return null
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  return (
    <Progress
      value={share}
      color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : undefined}
      aria-label={quotaName(quota)}
    />
  )
}

function quotaName(quota: string): string {
  const entity = Object.entries(quotaEntities).find(([name]) => name === quota)?.[1]
  const words = entity && pluralOfKnown(entity)
  return capitalized(words ?? (quota === storageQuota ? t('Storage') : quota))
}
