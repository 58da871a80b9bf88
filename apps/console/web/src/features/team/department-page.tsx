import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePeopleNames } from '../../base/people.ts'
import { titleOfFailure } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import lists from '../../records/linked-list.module.css'
import { Avatar } from '../../shell/avatar.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { departmentLink, personLink } from './team-links.tsx'
import { departmentQuery, departmentsBelowQuery, membersQuery } from './team-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/departments/$id')

/** A department: its head, its people, and the departments above and below. */
export function DepartmentPage() {
  const { id } = route.useParams()
  const { may } = useSession()
  const { data: department, error, refetch } = useQuery(departmentQuery(id))
  const title =
    error === null ? t('Department') : titleOfFailure(error, t('Department not found, or you do not have access'))
  return (
    <Page
      title={department?.name ?? title}
      narrow
      actions={
        may('UPDATE_DEPARTMENT') && (
          <Button variant="default" renderRoot={(props) => <Link to="/settings/departments" {...props} />}>
            {t('All departments')}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel title={t('Details')}>
          {department === undefined ? (
            <LoadingLines label={t('Loading department')} />
          ) : (
            <DepartmentFacts headId={department.headId} parentId={department.parentId} />
          )}
        </Panel>
      )}
      {error === null && may('VIEW_EMPLOYEE') && <Members id={id} />}
      {error === null && <DepartmentsBelow id={id} />}
    </Page>
  )
}

function DepartmentFacts({ headId, parentId }: { readonly headId: string | null; readonly parentId: string | null }) {
  const people = usePeopleNames([headId])
  const { data: parent } = useQuery({ ...departmentQuery(parentId ?? ''), enabled: parentId !== null })
  return (
    <Facts
      facts={[
        [t('Head of department'), personLink(headId, people)],
        [t('Parent department'), departmentLink(parent)],
      ]}
    />
  )
}

function Members({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(membersQuery(id))
  return (
    <Panel
      title={t('People')}
      note={
        data && data.total > data.items.length
          ? t('{length} of {total, number}', { length: data.items.length, total: data.total })
          : undefined
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {t('None')}
        </Text>
      )}
      {data !== undefined && data.total > 0 && (
        <ul className={lists.linked} aria-label={t('People')}>
          {data.items.map((person) => (
            <li key={person.id}>
              <span className={lists.mark}>
                <Avatar name={person.name} personId={person.id} size={22} />
                <Link to="/people/$id" params={{ id: person.id }}>
                  {person.name}
                </Link>
              </span>
              <span className={lists.note}>{person.email}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function DepartmentsBelow({ id }: { readonly id: string }) {
  const { data } = useQuery(departmentsBelowQuery(id))
  if (data === undefined || data.total === 0) return null
  return (
    <Panel title={t('Departments below')}>
      <ul className={lists.linked} aria-label={t('Departments below')}>
        {data.items.map((department) => (
          <li key={department.id}>
            <Link to="/departments/$id" params={{ id: department.id }}>
              {department.name}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
