import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { runsQuery } from './automation-queries.ts'
import { runStateNames, runTones } from './automation-words.ts'
import { t } from '../../base/texts.ts'

/** The runs of a workflow, newest first. */
export function RunsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const runs = useQuery(runsQuery(workflowId, page))
  return (
    <TablePanel
      title={t('automation.runs')}
      label={t('automation.runs')}
      reading={runs}
      page={page}
      onPage={setPage}
      empty={<EmptyState title={t('automation.noRunsYet')} />}
      columns={[
        {
          label: t('automation.started'),
          cell: ({ id, createdAt }) => (
            <Link to="/automation/runs/$id" params={{ id }}>
              <Age at={createdAt} />
            </Link>
          ),
        },
        { label: t('automation.version'), isExtra: true, cell: ({ version }) => version },
        { label: t('automation.whyItFailed'), isExtra: true, cell: ({ failureMessage }) => failureMessage },
        { label: t('common.status'), cell: ({ state }) => <Pill tone={runTones[state]}>{runStateNames[state]}</Pill> },
      ]}
    />
  )
}
