import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { automationKey } from './automation-queries.ts'
import classes from './automation.module.css'
import { summaryOf, wordsOf } from './summary.ts'
import { blank, workflowTemplates, type WorkflowTemplate } from './templates.ts'
import { useWords } from './use-words.ts'
import { t } from '../../base/texts.ts'
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
    <Dialog opened onClose={onClose} title={t('automation.newWorkflow')} size="xl">
      <RefusalAlert error={create.error} />
      <ul className={classes.templates} aria-label={t('automation.templatesList')}>
        <li>
          <button
            type="button"
            className={classes.template}
            data-autofocus
            disabled={create.isPending}
            onClick={() => create.mutate({ name: t('automation.newWorkflow'), ...blank })}
          >
            <span className={classes.templateName}>{t('automation.blank')}</span>
            <span className={classes.templateText} aria-hidden="true">
              {t('automation.beginWithoutATemplate')}
            </span>
          </button>
        </li>
        {workflowTemplates.map((template) => {
          const name = t(`automation.templates.${template.name}`)
          return (
            <li key={template.name}>
              <button
                type="button"
                className={classes.template}
                disabled={create.isPending}
                onClick={() => create.mutate({ ...template, name })}
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
