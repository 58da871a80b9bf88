import { Button, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { t } from './texts.ts'
import { inDigits } from '../../base/texts.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notifyRefusal } from '../../shell/notices.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { automationKey, automationsQuery, type Automation } from './automation-queries.ts'
import { stateNames, stateTones } from './automation-words.ts'
import { NewWorkflowDialog } from './new-workflow-dialog.tsx'
import { PublishDialog, type Published } from './publish-dialog.tsx'
import { summaryOf, wordsOf } from './summary.ts'
import { draftOf } from './drafts.ts'
import { useWords } from './use-words.ts'

const route = getRouteApi('/console/automation')

/** The workflows and rules of the workspace. */
export function AutomationPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const automations = useQuery(automationsQuery(page))
  const words = useWords((automations.data?.items ?? []).map(draftOf))
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      {t('New workflow')}
    </Button>
  )
  return (
    <Page title={t('Automation')} note={t('Workflows run steps when something happens.')} actions={create}>
      <TablePanel
        label={t('Automation')}
        reading={automations}
        page={page}
        onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
        empty={
          <EmptyState title={t('No workflows')}>{t('Choose a template, or start with a blank workflow.')}</EmptyState>
        }
        columns={[
          {
            label: t('Name'),
            cell: (row) => (
              <RowTitle note={summaryOf(draftOf(row), wordsOf(draftOf(row), words))}>
                {row.type === 'RULE' ? (
                  <Link to="/automation/rules/$id" params={{ id: row.id }}>
                    {row.name}
                  </Link>
                ) : (
                  <Link to="/automation/$id" params={{ id: row.id }}>
                    {row.name}
                  </Link>
                )}
              </RowTitle>
            ),
          },
          {
            label: t('Runs, 7 days'),
            isNumber: true,
            isExtra: true,
            cell: ({ runsOfWeek }) => inDigits(runsOfWeek),
          },
          {
            label: t('Failures'),
            isNumber: true,
            isExtra: true,
            cell: ({ failuresOfWeek }) => inDigits(failuresOfWeek),
          },
          {
            label: t('Status'),
            isExtra: true,
            cell: ({ state }) => <Pill tone={stateTones[state]}>{stateNames[state]}</Pill>,
          },
          { label: t('On'), cell: (row) => <OnSwitch automation={row} /> },
        ]}
      />
      {isCreating && <NewWorkflowDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** Turns a workflow or a rule on and off. */
function OnSwitch({ automation: { id, type, name, state } }: { readonly automation: Automation }) {
  const [published, setPublished] = useState<Published | null>(null)
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (type === 'RULE') await settings.automationRules.update({ params: { id }, body: { isActive: isOn } })
      else if (isOn) setPublished((await settings.workflows.publish({ params: { id } })).data)
      else await settings.workflows.unpublish({ params: { id } })
    },
    onError: notifyRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: automationKey }),
  })
  return (
    <>
      <Switch
        aria-label={t('Turn on {name}', { name })}
        checked={change.isPending ? change.variables : state === 'ON'}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <PublishDialog
        published={published?.secret === undefined ? null : published}
        onClose={() => setPublished(null)}
      />
    </>
  )
}
