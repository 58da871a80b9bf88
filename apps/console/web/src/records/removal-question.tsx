import { getDefaultZIndex } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { settings } from '../base/api.ts'
import { t } from '../base/texts.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { optionsIn } from './custom-field-options.ts'

type FieldUses = Awaited<ReturnType<typeof settings.customFields.uses>>['data']

const wordsOfUse = {
  records: (n: number) =>
    t('{n, plural, one {# record has a value in it} other {# records have a value in it}}', { n }),
  views: (n: number) => t('{n, plural, one {# view} other {# views}}', { n }),
  dashboards: (n: number) => t('{n, plural, one {# dashboard} other {# dashboards}}', { n }),
  rules: (n: number) => t('{n, plural, one {# rule} other {# rules}}', { n }),
  workflows: (n: number) => t('{n, plural, one {# workflow} other {# workflows}}', { n }),
  stages: (n: number) => t('{n, plural, one {# stage requires it} other {# stages require it}}', { n }),
} as const

const wordsOfOption = {
  ...wordsOfUse,
  records: (n: number) => t('{n, plural, one {# record holds it} other {# records hold it}}', { n }),
}

interface UseListProps {
  readonly uses: FieldUses
  readonly isOfOption?: boolean
}

/** Lists what uses a field, or one option of it. */
export function UseList({ uses, isOfOption = false }: UseListProps) {
  const used = Object.entries(isOfOption ? wordsOfOption : wordsOfUse).flatMap(([name, say]) => {
    const n = uses[name as keyof FieldUses]
    return n === 0 ? [] : [say(n)]
  })
  return (
    <ul>
      {used.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** Whether something uses a field or an option. */
export function isUsed(uses: FieldUses): boolean {
  return Object.values(uses).some((n) => n > 0)
}

/** A field or an option that a form leaves out. */
export interface Removal {
  readonly what: 'FIELD' | 'OPTION'
  readonly label: string
  /** Counts what uses it. */
  count(): Promise<FieldUses>
}

interface FieldWithOptions {
  readonly type: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** Returns the options of a field that the lines of a form no longer have. */
export function withoutOptions(
  { type, options }: FieldWithOptions,
  lines: string,
  count: (option: string) => Promise<FieldUses>,
): readonly Removal[] {
  if (!type.endsWith('SELECT')) return []
  const left = new Set(optionsIn(lines).map(({ value }) => value))
  return options
    .filter(({ value }) => !left.has(value))
    .map(({ value, label }) => ({ what: 'OPTION', label, count: () => count(value) }))
}

/** Submits a form, after it has counted what uses the fields and options that it leaves out; when something does, the form waits. */
export function useAskBeforeRemoval(
  removedBy: (form: FormData) => readonly Removal[],
  submit: (form: FormData) => void,
) {
  return useMutation({
    mutationFn: async (form: FormData) => {
      const counted = await Promise.all(removedBy(form).map(async (one) => ({ ...one, uses: await one.count() })))
      return { form, removals: counted.filter(({ uses }) => isUsed(uses)) }
    },
    onSuccess: ({ form, removals }) => {
      if (removals.length === 0) submit(form)
    },
  })
}

interface RemovalQuestionProps {
  readonly asked: ReturnType<typeof useAskBeforeRemoval>
  readonly isBusy: boolean
  readonly error: Error | null
  onConfirm(form: FormData): void
}

/** Asks before fields and options go that something uses. */
export function RemovalQuestion({ asked, isBusy, error, onConfirm }: RemovalQuestionProps) {
  const removals = asked.data?.removals ?? []
  return (
    <ConfirmDialog
      opened={removals.length > 0}
      onClose={() => asked.reset()}
      title={titleOf(removals)}
      confirm={t('Remove')}
      isDestructive
      isBusy={isBusy}
      error={error}
      zIndex={getDefaultZIndex('modal') + 1}
      onConfirm={() => asked.data && onConfirm(asked.data.form)}
    >
      {removals.map(({ what, label, uses }, at) => (
        <div key={at}>
          {t.rich('What uses <b>{label}</b>:', { label, b: (text) => <b>{text}</b> })}
          <UseList uses={uses} isOfOption={what === 'OPTION'} />
          {what === 'FIELD' && uses.records > 0 && <ValuesGo label={label} />}
        </div>
      ))}
      {removals.some(({ what }) => what === 'OPTION') && t('What holds it keeps it. Nobody can choose it any more.')}
    </ConfirmDialog>
  )
}

/** Says what becomes of the values of a field. */
export function ValuesGo({ label }: { readonly label: string }) {
  return (
    <p>
      {t.rich(
        'Records have values in <b>{label}</b>. They are hidden now and deleted after 30 days; until then the field can be restored.',
        { label, b: (text) => <b>{text}</b> },
      )}
    </p>
  )
}

function titleOf(removals: readonly Pick<Removal, 'what'>[]): string {
  const fields = removals.filter(({ what }) => what === 'FIELD').length
  const options = removals.length - fields
  if (fields > 0 && options > 0) return t('Remove fields and options?')
  return fields > 0
    ? t('Remove {count, plural, one {the field} other {# fields}}?', { count: fields })
    : t('Remove {count, plural, one {the option} other {# options}}?', { count: options })
}
