import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { versionsQuery } from './automation-queries.ts'
import { CodeBlock } from './code-block.tsx'
import { draftOf } from './drafts.ts'
import { summaryOf, wordsOf } from './summary.ts'
import { useWords } from './use-words.ts'
import { t } from './texts.ts'

/** The published versions of a workflow, newest first; a run keeps the version that it began with. */
export function VersionsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const versions = useQuery(versionsQuery(workflowId, page))
  const words = useWords((versions.data?.items ?? []).map(draftOf))
  const toggle = (version: number) => setOpened(opened.symmetricDifference(new Set([version])))
  const people = usePeopleNames(versions.data?.items.map(({ publishedById }) => publishedById))
  return (
    <TablePanel
      title={t('Versions')}
      label={t('Versions')}
      reading={versions}
      page={page}
      onPage={setPage}
      empty={<EmptyState title={t('No versions yet')} />}
      columns={[
        { label: t('Version'), cell: ({ version }) => version },
        { label: t('Turned on'), cell: ({ publishedAt }) => <Age at={publishedAt} /> },
        {
          label: t('By'),
          isExtra: true,
          cell: ({ publishedById }) => (publishedById === null ? undefined : people.get(publishedById)) ?? '–',
        },
        {
          label: t('Summary'),
          isExtra: true,
          cell: (row) => summaryOf(draftOf(row), wordsOf(draftOf(row), words)),
        },
        {
          label: t('Advanced'),
          cell: ({ version }) => (
            <Button
              size="compact-xs"
              variant="default"
              aria-expanded={opened.has(version)}
              aria-label={t(
                opened.has(version) ? 'Hide: Content of version {version}' : 'Show: Content of version {version}',
                { version },
              )}
              onClick={() => toggle(version)}
            >
              {opened.has(version) ? t('Hide') : t('Show')}
            </Button>
          ),
        },
      ]}
      detail={({ version, trigger, steps }) =>
        opened.has(version) && <CodeBlock label={t('Version {version}', { version })} value={{ trigger, steps }} />
      }
    />
  )
}
