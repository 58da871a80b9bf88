import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { fieldName } from '../../records/field-words.ts'
import filters from '../../records/list-filters.module.css'
import { callsOf, labelOf, titleOf, type AnyRecord } from '../../records/record-calls.ts'
import { useKinds, type Kind } from '../../records/record-kinds.ts'
import { collectionOf } from '../../records/record-place.ts'
import { RowNote, RowTitle } from '../../records/record-table.tsx'
import { SideBySide } from '../../records/side-by-side.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useMerge } from '../../records/use-merge.ts'
import { Age } from '../../shell/age.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { inList, inSentence } from '../../base/texts.ts'
import { groupOf, mergeableKinds, waysOf, type DuplicatesSearch, type LikeGroup } from './duplicates-search.ts'
import { t } from './texts.ts'

const route = getRouteApi('/console/settings/duplicates')

const duplicatesQuery = ({ kind = '', by = '', page = 1 }: DuplicatesSearch) =>
  queryOptions({
    queryKey: [collectionOf(kind), 'duplicates', by, page],
    queryFn: async ({ signal }) => {
      const { items, ...rest } = await callsOf(kind).duplicates({ by, page, pageSize: 20 }, signal)
      return { ...rest, items: items.map(groupOf) }
    },
    placeholderData: keepPreviousData,
    enabled: kind !== '',
  })

/** Groups of records that look alike, to be compared and merged. */
export function DuplicatesPage() {
  const { may } = useSession()
  const kinds = mergeableKinds(useKinds(), may)
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const kind = kinds.find(({ key }) => key === asked.kind) ?? kinds[0]
  const ways = kind === undefined ? [] : waysOf(kind.key)
  const by = ways.find((way) => way === asked.by) ?? ways[0]
  const search: DuplicatesSearch = { ...asked, kind: kind?.key, by }
  const groups = useQuery(duplicatesQuery(search))
  const [compared, setCompared] = useState<LikeGroup | null>(null)
  if (kind === undefined)
    return (
      <Page title={t('Duplicates')}>
        <EmptyState title={t('Nothing to merge')}>{t('Merging needs the right to edit and to delete.')}</EmptyState>
      </Page>
    )
  return (
    <Page title={t('Duplicates')} note={t('Records that look alike. Compare them, and merge those that are one.')}>
      <search className={filters.filters}>
        <NativeSelect
          aria-label={t('Record type')}
          value={kind.key}
          data={kinds.map(({ key, plural }) => ({ value: key, label: plural }))}
          onChange={({ currentTarget }) => void navigate({ search: { kind: currentTarget.value } })}
        />
        <NativeSelect
          aria-label={t('Alike in')}
          value={by}
          data={ways.map((way) => ({ value: way, label: t('Same {field}', { field: fieldName(way) }) }))}
          onChange={({ currentTarget }) => void navigate({ search: { kind: kind.key, by: currentTarget.value } })}
        />
      </search>
      <TablePanel
        label={t('Duplicates')}
        reading={groups}
        page={search.page ?? 1}
        onPage={(page) => void navigate({ search: { ...search, page } })}
        isCounted
        empty={
          <EmptyState title={t('No duplicate {plural}', { plural: inSentence(kind.plural) })}>
            {t('Compared by: {field}.', { field: fieldName(by ?? '') })}
          </EmptyState>
        }
        columns={[
          { label: fieldName(by ?? ''), cell: ({ value }) => <RowTitle>{value}</RowTitle> },
          {
            label: kind.plural,
            cell: ({ records, count }) => (
              <>
                {inList(records.slice(0, shownMax).map((record) => titleOf(kind, record)))}
                {count > shownMax && <RowNote>{t('and {count, number} more', { count: count - shownMax })}</RowNote>}
              </>
            ),
          },
        ]}
        actions={(group) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t('Compare {value}', { value: group.value })}
            onClick={() => setCompared(group)}
          >
            {t('Compare')}
          </Button>
        )}
      />
      {compared !== null && <CompareDialog kind={kind} records={compared.records} onClose={() => setCompared(null)} />}
    </Page>
  )
}

const shownMax = 3

interface CompareDialogProps {
  readonly kind: Kind
  readonly records: readonly AnyRecord[]
  onClose(): void
}

/** Shows records side by side: which ones become one, which one stays, and whose values it has. */
function CompareDialog({ kind, records, onClose }: CompareDialogProps) {
  const [keptId, setKeptId] = useState(records[0]?.id ?? '')
  const [left, setLeft] = useState<readonly string[]>([])
  const [preferred, setPreferred] = useState<Readonly<Record<string, string>>>({})
  const taken = records.filter(({ id }) => id === keptId || !left.includes(id))
  const ordered = [...taken.filter(({ id }) => id === keptId), ...taken.filter(({ id }) => id !== keptId)]
  const merge = useMerge(kind, onClose)
  const send = () =>
    merge.mutate({
      id: keptId,
      sourceIds: ordered.slice(1).map(({ id }) => id),
      prefer: Object.fromEntries(
        Object.entries(preferred).filter(([, id]) => id !== keptId && taken.some((one) => one.id === id)),
      ),
    })
  return (
    <FormDialog
      opened
      size="xl"
      title={t('Merge {many}', { many: kind.plural })}
      submit={t('Merge {count, number} {plural}', { count: taken.length, plural: inSentence(kind.plural) })}
      isBusy={merge.isPending}
      isIncomplete={taken.length < 2}
      isDestructive
      error={merge.error}
      onSubmit={send}
      onClose={onClose}
    >
      <Radio.Group label={t('Which one stays')} value={keptId} onChange={setKeptId}>
        <Stack gap={6} mt={6}>
          {records.map((record) => (
            <Group key={record.id} gap="md" justify="space-between" wrap="nowrap">
              <Radio
                value={record.id}
                label={
                  <>
                    {labelOf(kind, record)}{' '}
                    {typeof record['createdAt'] === 'string' && (
                      <Text component="span" size="xs" c="dimmed">
                        {t('Created')} <Age at={record['createdAt']} />
                      </Text>
                    )}
                  </>
                }
              />
              {record.id !== keptId && (
                <Checkbox
                  label={t('Merge')}
                  aria-label={t('Merge {name}', { name: labelOf(kind, record) })}
                  checked={!left.includes(record.id)}
                  onChange={() =>
                    setLeft(left.includes(record.id) ? left.filter((id) => id !== record.id) : [...left, record.id])
                  }
                />
              )}
            </Group>
          ))}
        </Stack>
      </Radio.Group>
      <SideBySide kind={kind} records={ordered} preferred={preferred} onPrefer={setPreferred} />
    </FormDialog>
  )
}
