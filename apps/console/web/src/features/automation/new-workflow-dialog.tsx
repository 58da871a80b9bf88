import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { automationKey } from './automation-queries.ts'
import classes from './automation.module.css'
import { summaryOf, wordsOf } from './summary.ts'
import { blank, workflowTemplates, type WorkflowTemplate } from './templates.ts'
import { useWords } from './use-words.ts'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** Offers templates to begin a workflow with. */
export function NewWorkflowDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const words = useWords([])
  const create = useMutation({
    mutationFn: ({ name, trigger, steps }: { name: string } & Pick<WorkflowTemplate, 'trigger' | 'steps'>) =>
      settings.workflows.create({ body: { name, trigger, steps: [...steps] } }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: automationKey })
      await navigate({ to: '/automation/$id', params: { id: data.id } })
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('New workflow')} size="xl">
      <RefusalAlert error={create.error} />
      <ul className={classes.templates} aria-label={t('Templates')}>
        <li>
          <button
            type="button"
            className={classes.template}
            data-autofocus
            disabled={create.isPending}
            onClick={() => create.mutate({ name: t('New workflow'), ...blank })}
          >
            <span className={classes.templateName}>{t('Blank')}</span>
            <span className={classes.templateText} aria-hidden="true">
              {t('Choose the trigger and the steps yourself.')}
            </span>
          </button>
        </li>
        {workflowTemplates.map((template) => {
          const { name } = template
          return (
            <li key={name}>
              <button
                type="button"
                className={classes.template}
                disabled={create.isPending}
                onClick={() => create.mutate(template)}
              >
                <span className={classes.templateName}>{name}</span>
                <span className={classes.templateText} aria-hidden="true">
                  {summaryOf(template, wordsOf(template, words))}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
