import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { versionsQuery } from './automation-queries.ts'
import { CodeBlock } from './code-block.tsx'

/** The published versions of a workflow, newest first; a run keeps the version that it began with. */
export function VersionsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const versions = useQuery(versionsQuery(workflowId, page))
  const toggle = (version: number) => setOpened(opened.symmetricDifference(new Set([version])))
  const people = usePeopleNames(versions.data?.items.map(({ publishedById }) => publishedById))
  return (
    <TablePanel
      title="Versions"
      label="Versions"
      reading={versions}
      page={page}
      onPage={setPage}
      empty={<EmptyState title="It was not published yet" />}
      columns={[
        { label: 'Version', cell: ({ version }) => version },
        { label: 'Published', cell: ({ publishedAt }) => <Age at={publishedAt} /> },
        {
          label: 'By',
          isExtra: true,
          cell: ({ publishedById }) => (publishedById === null ? undefined : people.get(publishedById)) ?? '–',
        },
        {
          label: 'Content',
          cell: ({ version }) => (
            <Button
              size="compact-xs"
              variant="default"
              aria-expanded={opened.has(version)}
              aria-label={`Content of version ${version}`}
              onClick={() => toggle(version)}
            >
              {opened.has(version) ? 'Hide' : 'Show'}
            </Button>
          ),
        },
      ]}
      detail={({ version, trigger, steps }) =>
        opened.has(version) && <CodeBlock label={`Version ${version}`} value={{ trigger, steps }} />
      }
    />
  )
}
