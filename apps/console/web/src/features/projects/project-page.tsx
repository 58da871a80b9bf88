import type { ProjectRecord } from '@crm/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { describeMoney } from '../../records/money.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { HistoryEntries } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { ProjectStatusMark } from './project-marks.tsx'
import { projectActivityQuery, projectQuery } from './project-queries.ts'
import { ProjectTasks } from './project-tasks.tsx'

const route = getRouteApi('/console/projects/$id')

/** A project: where it stands, who works on it, and what happened in it and its tasks. */
export function ProjectPage() {
  const { id } = route.useParams()
  const reading = useQuery(projectQuery(id))
  return (
    <WithRecord noun="project" back={<BackToProjects />} reading={reading}>
      {(project) => <KnownProject key={id} project={project} />}
    </WithRecord>
  )
}

function BackToProjects() {
  return (
    <BackLink to="/projects" search={{}}>
      Projects
    </BackLink>
  )
}

function KnownProject({ project }: { readonly project: ProjectRecord }) {
  const record = { entityType: 'PROJECT', entityId: project.id } as const
  return (
    <RecordPage
      record={record}
      title={project.name}
      note={`No. ${project.number}`}
      back={<BackToProjects />}
      actions={<ProjectActions project={project} />}
      main={
        <>
          <Panel title="Details">
            <ProjectFacts project={project} />
          </Panel>
          <ProjectTasks projectId={project.id} />
        </>
      }
      aside={
        <>
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
      history={
        <Panel title="What happened">
          <ProjectHistory id={project.id} />
        </Panel>
      }
    />
  )
}

function ProjectFacts({ project }: { readonly project: ProjectRecord }) {
  const people = usePeopleNames([project.ownerId, ...project.memberIds])
  const company = useRecordName('COMPANY', project.companyId)
  const deal = useRecordName('DEAL', project.dealId)
  const facts: (readonly [string, ReactNode])[] = [
    ['Status', <ProjectStatusMark key="status" status={project.status} />],
    ['Progress', `${project.progress} %`],
    ['Start', project.startDate && describeDay(project.startDate, 'UTC')],
    ['End', project.endDate && describeDay(project.endDate, 'UTC')],
    ['Budget', describeMoney(project.budget, project.currency)],
    ['Owner', (project.ownerId !== null && people.get(project.ownerId)) || null],
    ['Members', project.memberIds.map((id) => people.get(id) ?? 'Somebody').join(', ')],
    [
      'Company',
      project.companyId && (
        <Link key="company" to="/companies/$id" params={{ id: project.companyId }}>
          {company}
        </Link>
      ),
    ],
    [
      'Deal',
      project.dealId && (
        <Link key="deal" to="/deals/$id" params={{ id: project.dealId }}>
          {deal}
        </Link>
      ),
    ],
    ...(project.tags.length > 0 ? [['Tags', project.tags.join(', ')] as const] : []),
    ['Description', project.description],
  ]
  return <Facts facts={facts} />
}

function ProjectHistory({ id }: { readonly id: string }) {
  return <HistoryEntries history={useInfiniteQuery(projectActivityQuery(id))} />
}

function ProjectActions({ project }: { readonly project: ProjectRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'PROJECT', entityId: project.id }}
      title={project.name}
      edit={(close) => <ProjectDialog project={project} opened onClose={close} />}
      remove={() => crm.projects.delete({ params: { id: project.id } })}
      leave={() => navigate({ to: '/projects', search: {} })}
    />
  )
}
