import type { ProjectRecord } from '@crm/contract'
import { usualTabs } from '../../domain/kinds/usual-parts.tsx'
import type { PageParts } from '../../records/kind-pages.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import { Related } from '../../records/related.tsx'
import { ProjectTasks } from './project-tasks.tsx'
import { t } from '../../base/texts.ts'

/** Returns what is special about the page of a project: its tasks stand in the middle. */
export function partsOf(project: ProjectRecord, place: RecordPlace): PageParts {
  return {
    note: t('No. {number}', { number: project.number }),
    main: <ProjectTasks projectId={project.id} />,
    tabs: usualTabs(place, project).filter(({ key }) => key !== 'tasks'),
    next: false,
    aside: <Related place={place} record={project} without={['TASK']} />,
  }
}
