import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { runsQuery } from './automation-queries.ts'
import { runStateNames, runTones } from './automation-words.ts'
import { t } from './texts.ts'

/** The runs of a workflow, newest first. */
export function RunsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const runs = useQuery(runsQuery(workflowId, page))
  return (
    <TablePanel
      title={t('Runs')}
      label={t('Runs')}
      reading={runs}
      page={page}
      onPage={setPage}
      empty={<EmptyState title={t('No runs yet')} />}
      columns={[
        {
          label: t('Started'),
          cell: ({ id, createdAt }) => (
            <Link to="/automation/runs/$id" params={{ id }}>
              <Age at={createdAt} />
            </Link>
          ),
        },
        { label: t('Version'), isExtra: true, cell: ({ version }) => version },
        { label: t('Why it failed'), isExtra: true, cell: ({ failureMessage }) => failureMessage },
        { label: t('Status'), cell: ({ state }) => <Pill tone={runTones[state]}>{runStateNames[state]}</Pill> },
      ]}
    />
  )
}
