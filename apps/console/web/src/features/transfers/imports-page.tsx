import { kindName } from '../../records/kind-words.ts'
import { transferredEntities } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { usePeopleNames } from '../../base/people.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { inDigits } from '../../base/texts.ts'
import { DropFiles, programName } from './drop-files.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { migrationsQuery } from './migration-queries.ts'
import { migrationStateOf } from './migration-words.ts'
import { StatePill } from './state-pill.tsx'
import { t } from './texts.ts'
import { importsQuery } from './transfer-queries.ts'

const route = getRouteApi('/console/settings/import')

/** Where people bring their data: new files, and what came in before. */
export function ImportsPage() {
  const navigate = route.useNavigate()
  const { may } = useSession()
  const mayCreate = transferredEntities.some((entityType) => may(`CREATE_${entityType}`))
  return (
    <Page
      title={t('Move in')}
      note={t(
        'Bring your data from another program or a spreadsheet. You see what will happen before anything is saved, and you can undo it.',
      )}
    >
      {mayCreate && (
        <DropFiles onBegun={(id) => void navigate({ to: '/settings/import/$id', params: { id }, search: {} })} />
      )}
      <Migrations />
      <Imports />
    </Page>
  )
}

function Migrations() {
  const [page, setPage] = useState(1)
  const migrations = useQuery(migrationsQuery(page))
  const names = usePeopleNames(migrations.data?.items.map(({ createdById }) => createdById))
  return (
    <TablePanel
      title={t('Your imports')}
      label={t('Your imports')}
      reading={migrations}
      page={page}
      onPage={setPage}
      isLinked
      empty={
        <EmptyState title={t('Nothing imported yet')}>{t('Drop the exports of your former program above.')}</EmptyState>
      }
      columns={[
        {
          label: t('Where the files come from'),
          cell: ({ id, source }) => (
            <RowTitle>
              <Link to="/settings/import/$id" params={{ id }}>
                {programName(source)}
              </Link>
            </RowTitle>
          ),
        },
        {
          label: t('Status'),
          cell: ({ state }) => {
            const { label, tone } = migrationStateOf(state)
            return <Pill tone={tone}>{label}</Pill>
          },
        },
        { label: t('By'), isExtra: true, cell: ({ createdById }) => names.get(createdById) ?? '' },
        { label: t('Started'), isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
      ]}
    />
  )
}

/** The imports of single files, which programs start; nothing without any. */
function Imports() {
  const [page, setPage] = useState(1)
  const [shownId, setShownId] = useState<string | null>(null)
  const imports = useQuery(importsQuery(page))
  if (imports.data?.total === 0) return null
  return (
    <>
      <TablePanel
        title={t('Imports of single files')}
        label={t('Imports')}
        reading={imports}
        page={page}
        onPage={setPage}
        empty={null}
        columns={[
          {
            label: t('File'),
            cell: ({ fileName, entityType, total }) => (
              <RowTitle
                note={t('{entityType}, {total, plural, one {# row} other {# rows}}', {
                  entityType: kindName(entityType),
                  total,
                })}
              >
                {fileName}
              </RowTitle>
            ),
          },
          { label: t('Status'), cell: ({ state }) => <StatePill state={state} /> },
          { label: t('Created'), isExtra: true, cell: ({ created }) => inDigits(created) },
          { label: t('Updated'), isExtra: true, cell: ({ updated }) => inDigits(updated) },
          { label: t('Rows with errors'), isExtra: true, cell: ({ failed }) => inDigits(failed) },
          { label: t('Started'), isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
        actions={({ id, fileName }) => <RowButton verb={t('Show')} name={fileName} onClick={() => setShownId(id)} />}
      />
      {shownId !== null && <ImportDialog id={shownId} onClose={() => setShownId(null)} />}
    </>
  )
}
