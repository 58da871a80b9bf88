import type { ProjectRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { Comments } from '../../records/comments.tsx'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import { describeMoney } from '../../records/money.ts'
import classes from '../../records/record-page.module.css'
import { HistoryEntries } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { ProjectStatusMark } from './project-marks.tsx'
import { projectActivityQuery, projectQuery } from './project-queries.ts'
import { ProjectTasks } from './project-tasks.tsx'

const route = getRouteApi('/console/projects/$id')

/** A project: where it stands, who works on it, and what happened in it and its tasks. */
export function ProjectPage() {
  const { id } = route.useParams()
  const { data: project, error, refetch } = useQuery(projectQuery(id))
  if (project !== undefined) return <KnownProject key={id} project={project} />
  return (
    <Page title={error === null ? 'Project' : 'This project cannot be shown'} above={<BackToProjects />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the project" /></Panel>}
    </Page>
  )
}

function BackToProjects() {
  return <Link to="/projects" search={{}} className={classes.back}><Icon name="left" size={16} />Projects</Link>
}

function KnownProject({ project }: { readonly project: ProjectRecord }) {
  const client = useQueryClient()
  const record = { entityType: 'PROJECT', entityId: project.id } as const
  return (
    <Page title={project.name} note={`No. ${project.number}`} above={<BackToProjects />} actions={<ProjectActions project={project} />}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><ProjectFacts project={project} /></Panel>
          <ProjectTasks projectId={project.id} />
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['projects', 'activity', project.id] })} />
          <Panel title="What happened"><ProjectHistory id={project.id} /></Panel>
        </div>
      </div>
    </Page>
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
    ['Company', project.companyId && <Link key="company" to="/companies/$id" params={{ id: project.companyId }}>{company}</Link>],
    ['Deal', project.dealId && <Link key="deal" to="/deals/$id" params={{ id: project.dealId }}>{deal}</Link>],
    ...(project.tags.length > 0 ? [['Tags', project.tags.join(', ')] as const] : []),
    ['Description', project.description],
  ]
  return <Facts facts={facts} />
}

function ProjectHistory({ id }: { readonly id: string }) {
  return <HistoryEntries history={useInfiniteQuery(projectActivityQuery(id))} />
}

function ProjectActions({ project }: { readonly project: ProjectRecord }) {
  const { may } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const navigate = useNavigate()
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_PROJECT') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_PROJECT') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      <ProjectDialog project={project} opened={dialog === 'edit'} onClose={close} />
      <DeleteRecordDialog
        record={{ entityType: 'PROJECT', entityId: project.id }}
        title={project.name}
        opened={dialog === 'delete'}
        remove={() => crm.projects.delete({ params: { id: project.id } })}
        leave={() => navigate({ to: '/projects', search: {} })}
        onClose={close}
      />
    </>
  )
}
