import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { Age } from '../../shell/age.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { versionsQuery, type WorkflowVersion } from './automation-queries.ts'
import { CodeBlock } from './code-block.tsx'

/** What was published of a workflow, newest first; a run keeps to the version that it began with. */
export function VersionsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const { data, error } = useQuery(versionsQuery(workflowId, page))
  const people = usePeopleNames(data?.items.map(({ publishedById }) => publishedById))
  return (
    <Panel title="Versions" flush>
      <RefusalAlert error={error} />
      {data === undefined && error === null && <div className={tables.loading}><LoadingLines label="Loading the versions" /></div>}
      {data?.total === 0 && <EmptyState title="It was not published yet" />}
      {data !== undefined && data.total > 0 && (
        <table className={tables.table} aria-label="Versions">
          <thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col" data-extra>By</th><th scope="col">Content</th></tr></thead>
          <tbody>
            {data.items.map((version) => (
              <VersionRow key={version.version} version={version} publisher={version.publishedById === null ? undefined : people.get(version.publishedById)} />
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
    </Panel>
  )
}

function VersionRow({ version: { version, publishedAt, trigger, steps }, publisher = '–' }: { readonly version: WorkflowVersion; readonly publisher?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <tr>
        <td>{version}</td>
        <td><Age at={publishedAt} /></td>
        <td data-extra>{publisher}</td>
        <td><Button size="compact-xs" variant="default" aria-expanded={isOpen} aria-label={`Content of version ${version}`} onClick={() => setOpen(!isOpen)}>{isOpen ? 'Hide' : 'Show'}</Button></td>
      </tr>
      {isOpen && <tr><td colSpan={4}><CodeBlock label={`Version ${version}`} value={{ trigger, steps }} /></td></tr>}
    </>
  )
}
