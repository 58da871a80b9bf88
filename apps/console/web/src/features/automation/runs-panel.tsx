import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Age } from '../../shell/age.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { runsQuery } from './automation-queries.ts'
import { runStateNames, runTones } from './automation-words.ts'

/** The runs of a workflow, newest first. */
export function RunsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const { data, error } = useQuery(runsQuery(workflowId, page))
  return (
    <Panel title="Runs" flush>
      <RefusalAlert error={error} />
      {data === undefined && error === null && <div className={tables.loading}><LoadingLines label="Loading the runs" /></div>}
      {data?.total === 0 && <EmptyState title="It has not run yet" />}
      {data !== undefined && data.total > 0 && (
        <table className={tables.table} aria-label="Runs">
          <thead><tr><th scope="col">Started</th><th scope="col" data-extra>Version</th><th scope="col" data-extra>Why it failed</th><th scope="col">State</th></tr></thead>
          <tbody>
            {data.items.map(({ id, createdAt, version, failureMessage, state }) => (
              <tr key={id}>
                <td><Link to="/automation/runs/$id" params={{ id }}><Age at={createdAt} /></Link></td>
                <td data-extra>{version}</td>
                <td data-extra>{failureMessage}</td>
                <td><Pill tone={runTones[state]}>{runStateNames[state]}</Pill></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
    </Panel>
  )
}
