import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { titleOfFailure } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { Avatar } from '../../shell/avatar.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { departmentLink, personLink } from './team-links.tsx'
import { departmentQuery, employeeQuery } from './team-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/people/$id')

const states = {
  ACTIVE: { tone: 'green', name: t('Active') },
  SUSPENDED: { tone: 'amber', name: t('Suspended') },
  TERMINATED: { tone: 'neutral', name: t('Terminated') },
} as const

/** A colleague: their contact details and their place in the company. */
export function PersonPage() {
  const { id } = route.useParams()
  const { may } = useSession()
  const { data: person, error, refetch } = useQuery(employeeQuery(id))
  const title = error === null ? t('Person') : titleOfFailure(error, t('Person not found, or you do not have access'))
  return (
    <Page
      title={person?.name ?? title}
      narrow
      mark={person && <Avatar name={person.name} personId={id} size={40} />}
      actions={
        may('MANAGE_USERS') && (
          <Button variant="default" renderRoot={(props) => <Link to="/settings/people" search={{}} {...props} />}>
            {t('All people')}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel title={t('Details')}>
          {person === undefined ? <LoadingLines label={t('Loading person')} /> : <PersonFacts person={person} />}
        </Panel>
      )}
    </Page>
  )
}

type Person = Awaited<ReturnType<NonNullable<ReturnType<typeof employeeQuery>['queryFn']>>>

function PersonFacts({
  person: { email, status, departmentId, managerId, timezone, createdAt },
}: {
  readonly person: Person
}) {
  const { may } = useSession()
  const people = usePeopleNames([managerId])
  const { data: department } = useQuery({
    ...departmentQuery(departmentId ?? ''),
    enabled: departmentId !== null && may('VIEW_DEPARTMENT'),
  })
  return (
    <Facts
      facts={[
        [
          t('Email'),
          <Anchor key="email" href={`mailto:${email}`}>
            {email}
          </Anchor>,
        ],
        [
          t('Status'),
          <Pill key="state" tone={states[status].tone}>
            {states[status].name}
          </Pill>,
        ],
        [t('Department'), departmentLink(department)],
        [t('Manager'), personLink(managerId, people)],
        [t('Time zone'), timezone],
        [t('Joined'), describeDay(createdAt)],
      ]}
    />
  )
}
