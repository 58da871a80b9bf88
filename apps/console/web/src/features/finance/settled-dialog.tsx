import { Textarea } from '@mantine/core'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { kindWords, type FinanceKind, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { untilOf } from './document-draft.ts'
import { documentWriters } from './document-writers.ts'
import { useVerb } from './use-verb.ts'
import { t } from './texts.ts'
import { named } from '../../base/texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

interface SettledDialogProps {
  readonly kind: FinanceKind
  readonly record: FinanceRecord
  onClose(): void
}

/** Changes the fields of a document that stay editable once its lines are fixed. */
export function SettledDialog({ kind, record, onClose }: SettledDialogProps) {
  const { person } = useSession()
  const before = untilOf(record, person.workspace.timezone)
  const save = useVerb(
    (form: FormData) => {
      const until = textIn(form, 'until')
      return documentWriters[kind].update(
        record,
        { notes: textIn(form, 'notes') },
        until === before ? undefined : until,
      )
    },
    { said: t('Saved'), onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('Edit {noun}', named(kindWords[kind].one))}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <DayInput
        label={kindWords[kind].until}
        name="until"
        defaultValue={before}
        error={errors['dueDate'] ?? errors['expiresAt']}
      />
      <Textarea
        label={t('Notes', { context: 'on a document' })}
        name="notes"
        rows={3}
        defaultValue={record.notes ?? ''}
        error={errors['notes']}
      />
    </FormDialog>
  )
}
