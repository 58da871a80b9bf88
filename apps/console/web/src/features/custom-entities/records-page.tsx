import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { RowTitle } from '../../records/record-table.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { customRecordsQuery } from './entity-queries.ts'
import { describeFieldValue } from './field-values.ts'
import { WithEntity } from './known-entity.tsx'
import { readRecordSearch } from './record-search.ts'

const route = getRouteApi('/console/records/$key')
/** More columns than this make a table unreadable. */
const columnsMax = 4

/** The records of a custom entity. */
export function CustomRecordsPage() {
  const { key } = route.useParams()
  return <WithEntity entityKey={key}>{(entity) => <Records key={key} entity={entity} />}</WithEntity>
}

function Records({ entity }: { readonly entity: CustomEntityRecord }) {
  const { key, labels, entityType, fields, hasOwner } = entity
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const records = useQuery(customRecordsQuery(entity, search))
  const { data } = records
  const people = usePeopleNames(data?.items.map(({ ownerId }) => ownerId))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) =>
    void navigate({ search: readRecordSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  return (
    <Page
      title={labels.plural}
      note={data === undefined ? ' ' : `${data.total.toLocaleString('en')} in all`}
      actions={
        may(`CREATE_${entityType}`) && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setCreating(true)}
          >{`New ${labels.singular}`}</Button>
        )
      }
    >
      <search>
        <SearchField
          label={`Search ${labels.plural}`}
          placeholder="Title"
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text }, true)}
        />
      </search>
      <TablePanel
        label={labels.plural}
        reading={records}
        page={search.page ?? 1}
        onPage={(page) => change({ page })}
        isCounted
        empty={<EmptyState title="Nothing here" />}
        columns={[
          {
            label: 'Title',
            cell: ({ id, title }) => (
              <RowTitle>
                <Link to="/records/$key/$id" params={{ key, id }}>
                  {title}
                </Link>
              </RowTitle>
            ),
          },
          ...fields.slice(0, columnsMax).map((field) => ({
            label: field.label,
            isExtra: true,
            cell: ({ values }: CustomRecord) => describeFieldValue(field, values[field.key]) ?? '–',
          })),
          hasOwner && { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId && people.get(ownerId)) ?? '–' },
          { label: 'Created', cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
      />
      <RecordForm entityType={entityType} opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}
