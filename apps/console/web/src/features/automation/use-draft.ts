import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { notify, notifyRefusal } from '../../shell/notices.tsx'
import { t } from './texts.ts'
import { automationKey, type Workflow } from './automation-queries.ts'
import { draftOf } from './drafts.ts'
import { savedSteps, type WorkflowDraft } from './steps.ts'

/** A workflow while it is being edited. Saving it changes nothing of what runs: only publishing does. */
export interface DraftState {
  readonly now: WorkflowDraft
  readonly isChanged: boolean
  readonly isSaving: boolean
  /** The problems of the last save by their path. */
  readonly errors: Readonly<Record<string, string>>
  change(part: Partial<WorkflowDraft>): void
  /** Saves, and says so. */
  save(): Promise<void>
  /** Saves what is not saved yet. */
  saved(): Promise<void>
  /** Shows a failure, unless it stands at the steps. */
  reportUnlessShown(error: unknown): void
}

/** Returns the draft of a workflow. */
export function useDraft(workflow: Workflow): DraftState {
  const [now, setNow] = useState(() => draftOf(workflow))
  const [isChanged, setChanged] = useState(false)
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      settings.workflows.update({
        params: { id: workflow.id },
        body: { name: now.name, trigger: now.trigger, steps: savedSteps(now.steps) },
      }),
    onSuccess: () => {
      setChanged(false)
      return client.invalidateQueries({ queryKey: automationKey })
    },
  })
  const reportUnlessShown = (error: unknown) => {
    if (isRefusedWith(error, 'VALIDATION_ERROR')) notify(t('Not saved. Fix the marked steps.'))
    else notifyRefusal(error)
  }
  return {
    now,
    isChanged,
    isSaving: saving.isPending,
    errors: fieldErrors(saving.error),
    change: (part) => {
      setNow((before) => ({ ...before, ...part }))
      setChanged(true)
    },
    save: async () => {
      await saving
        .mutateAsync()
        .then(() =>
          notify(
            workflow.status === 'PUBLISHED' ? t('Saved. Publish the changes to put them to work') : t('Workflow saved'),
          ),
        )
        .catch(reportUnlessShown)
    },
    saved: async () => {
      if (isChanged) await saving.mutateAsync()
    },
    reportUnlessShown,
  }
}
