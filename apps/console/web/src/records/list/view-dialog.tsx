import { filterVisibilities } from '@crm/contract'
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import type { SavedView } from './list-queries.ts'
import type { ViewBody } from './list-state.ts'
import { t } from '../../base/texts.ts'

/** The people who see a view, in words. */
export const visibilityNames = {
  PRIVATE: t('Only me'),
  DEPARTMENT: t('My department'),
  WORKSPACE: t('Everyone'),
} as const satisfies Record<(typeof filterVisibilities)[number], string>

interface ViewDialogProps {
  readonly entityType: string
  /** The list as it is shown, for a new view. */
  readonly body?: ViewBody
  /** The view that is edited. */
  readonly view?: SavedView
  onSaved(id: string): void
  onClose(): void
}

/** Saves the shown list as a view, or changes the name of a view and who can see it. */
export function ViewDialog({ entityType, body, view, onSaved, onClose }: ViewDialogProps) {
  const client = useQueryClient()
  const { may } = useSession()
  const [visibility, setVisibility] = useState(view?.visibility ?? 'PRIVATE')
  const mayBeDefault = visibility === 'WORKSPACE' && may('MANAGE_WORKSPACE')
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const isDefault = mayBeDefault && form.get('isDefault') !== null
      const named = { name: textIn(form, 'name'), visibility, ...(mayBeDefault ? { isDefault } : {}) }
      if (view) return crm.savedFilters.update({ params: { id: view.id }, body: named })
      const { query = {}, ...shown } = body ?? {}
      return crm.savedFilters.create({ body: { ...shown, query: { ...query }, ...named, entityType } })
    },
    onSuccess: async ({ data }) => {
      notify(t('View saved'))
      await client.invalidateQueries({ queryKey: ['saved-filters'] })
      onClose()
      onSaved(data.id)
    },
  })
  return (
    <FormDialog
      opened
      title={view ? t('Edit view') : t('Save view')}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('View name')}
        defaultValue={view?.name}
        error={fieldErrors(save.error)['name']}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group
        label={t('Who can see it')}
        value={visibility}
        onChange={(value) => setVisibility(filterVisibilities.find((known) => known === value) ?? 'PRIVATE')}
      >
        <Stack gap="xs" mt="xs">
          {filterVisibilities.map((value) => (
            <Radio key={value} value={value} label={visibilityNames[value]} />
          ))}
        </Stack>
      </Radio.Group>
      {mayBeDefault && (
        <Checkbox
          name="isDefault"
          label={t('Lists open with this view for everyone')}
          defaultChecked={view?.isDefault ?? false}
        />
      )}
    </FormDialog>
  )
}
