import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { automationKey, workflowsQuery } from './automation-queries.ts'
import { describeTrigger, workflowStateNames, workflowTones } from './automation-words.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/automation/workflows')

/** The workflows of the workspace. */
export function WorkflowsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const workflows = useQuery(workflowsQuery(page))
  return (
    <Page
      title={t('automation.workflows')}
      note={t('automation.workflowsRunStepsWhenSomething')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
          {t('automation.newWorkflow')}
        </Button>
      }
    >
      <TablePanel
        label={t('automation.workflows')}
        reading={workflows}
        page={page}
        onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
        empty={<EmptyState title={t('automation.noWorkflows')}>{t('automation.makeOneThatTurnsCalls')}</EmptyState>}
        columns={[
          {
            label: t('common.name'),
            cell: ({ id, name, steps }) => (
              <RowTitle note={t('automation.step', { count: steps.length })}>
                <Link to="/automation/workflows/$id" params={{ id }}>
                  {name}
                </Link>
              </RowTitle>
            ),
          },
          { label: t('automation.when'), isExtra: true, cell: ({ trigger }) => describeTrigger(trigger) },
          { label: t('automation.changed'), isExtra: true, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
          {
            label: t('common.status'),
            cell: ({ status }) => <Pill tone={workflowTones[status]}>{workflowStateNames[status]}</Pill>,
          },
        ]}
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: (name: string) =>
      settings.workflows.create({ body: { name, trigger: { type: 'WEBHOOK' }, steps: [] } }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: automationKey })
      await navigate({ to: '/automation/workflows/$id', params: { id: data.id } })
    },
  })
  return (
    <FormDialog
      opened
      title={t('automation.newWorkflow')}
      submit={t('automation.createWorkflow')}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(form) => create.mutate(textIn(form, 'name'))}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('common.name')}
        error={fieldErrors(create.error)['name']}
        maxLength={200}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  )
}
