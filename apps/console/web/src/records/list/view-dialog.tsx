import { filterVisibilities } from '@crm/contract'
import { Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import type { ViewBody } from './list-state.ts'
import { t } from '../../base/texts.ts'

/** The people who see a view, in words. */
export const visibilityNames = {
  PRIVATE: t('records.onlyMe'),
  DEPARTMENT: t('records.myDepartment'),
  WORKSPACE: t('records.everyone'),
} as const satisfies Record<(typeof filterVisibilities)[number], string>

interface ViewDialogProps {
  readonly entityType: string
  readonly body: ViewBody
  onSaved(id: string): void
  onClose(): void
}

/** Saves the shown list as a view. */
export function ViewDialog({ entityType, body, onSaved, onClose }: ViewDialogProps) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const visibility = filterVisibilities.find((known) => known === form.get('visibility'))
      return crm.savedFilters.create({
        body: { ...body, query: { ...body.query }, name: textIn(form, 'name'), entityType, visibility },
      })
    },
    onSuccess: async ({ data }) => {
      notify(t('records.viewSaved'))
      await client.invalidateQueries({ queryKey: ['saved-filters'] })
      onClose()
      onSaved(data.id)
    },
  })
  return (
    <FormDialog
      opened
      title={t('records.saveView')}
      submit={t('common.save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('records.viewName')}
        error={fieldErrors(save.error)['name']}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group name="visibility" label={t('records.whoCanSeeIt')} defaultValue="PRIVATE">
        <Stack gap="xs" mt="xs">
          {filterVisibilities.map((value) => (
            <Radio key={value} value={value} label={visibilityNames[value]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}
