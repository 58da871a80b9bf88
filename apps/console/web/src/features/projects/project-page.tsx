import type { ProjectRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { emailsTab } from '../../domain/activities/emails-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Related } from '../../records/related.tsx'
import { projectQuery } from './project-queries.ts'
import { ProjectTasks } from './project-tasks.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/projects/$id')

/** A project: its status, its people, and the history of it and its tasks. */
export function ProjectPage() {
  const { id } = route.useParams()
  const reading = useQuery(projectQuery(id))
  return (
    <WithRecord noun={t('projects.project')} back={<BackToProjects />} reading={reading}>
      {(project) => <KnownProject key={id} project={project} />}
    </WithRecord>
  )
}

function BackToProjects() {
  return (
    <BackLink to="/projects" search={addressOfList('PROJECT')}>
      {t('common.projects')}
    </BackLink>
  )
}

function KnownProject({ project }: { readonly project: ProjectRecord }) {
  const navigate = useNavigate()
  const record = { entityType: 'PROJECT', entityId: project.id } as const
  return (
    <RecordPage
      record={record}
      title={project.name}
      note={t('projects.noNumber', { number: project.number })}
      back={<BackToProjects />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/projects', search: addressOfList('PROJECT') })} />
      }
      facts={<KeyFacts entityType="PROJECT" record={project} />}
      main={<ProjectTasks projectId={project.id} />}
      tabs={[emailsTab(record), filesTab(record), documentsTab(record)]}
      aside={<Related place={record} record={project} without={['TASK']} />}
    />
  )
}
