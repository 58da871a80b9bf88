import { kindName } from '../../records/kind-words.ts'
import { numberedEntities, resetPeriods } from '@crm/contract'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { numberIn, textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { NameField } from '../../records/name-field.tsx'
import { ReferencePanel, type ReferenceFieldsProps, type ReferenceKind } from '../../records/reference-panel.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { t } from './texts.ts'

type Sequence = Awaited<ReturnType<typeof crm.numberSequences.list>>['items'][number]

const periodNames = {
  NEVER: t('Never'),
  YEAR: t('Every year'),
  MONTH: t('Every month'),
} as const

const sequences: ReferenceKind<Sequence> = {
  title: t('Sequences'),
  noun: t('number sequence'),
  key: ['number-sequences'],
  read: (signal) => allItems((page) => crm.numberSequences.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  markOf: ({ isDefault }) => isDefault && <Pill tone="green">{t('In use')}</Pill>,
  columns: [
    { label: t('Document type'), cell: ({ entityType }) => kindName(entityType) },
    { label: t('Format'), isExtra: true, cell: ({ pattern }) => <code>{pattern}</code> },
    { label: t('Next', { context: 'a number' }), isExtra: true, cell: ({ nextValue }) => nextValue },
    { label: t('Resets'), isExtra: true, cell: ({ resetPeriod }) => periodNames[resetPeriod] },
  ],
  Fields: SequenceFields,
  save: (row, form) => {
    const nextValue = numberIn(form, 'nextValue') ?? undefined
    const fields = {
      name: textIn(form, 'name'),
      pattern: textIn(form, 'pattern'),
      resetPeriod: resetPeriods.find((one) => one === textIn(form, 'resetPeriod')),
    }
    // Only changed values are sent: numbers may have been drawn while the form was open.
    const next = nextValue === undefined || nextValue === row?.nextValue ? {} : { nextValue }
    if (row)
      return crm.numberSequences.update({
        params: { id: row.id },
        body: { ...fields, ...next, ...(form.has('isDefault') ? { isDefault: true } : {}) },
      })
    const entityType = numberedEntities.find((one) => one === textIn(form, 'entityType')) ?? 'INVOICE'
    return crm.numberSequences.create({ body: { ...fields, ...next, entityType, isDefault: form.has('isDefault') } })
  },
  remove: ({ id }) => crm.numberSequences.delete({ params: { id } }),
}

function SequenceFields({ row, errors }: ReferenceFieldsProps<Sequence>) {
  return (
    <>
      <NameField row={row} errors={errors} />
      {row === undefined && (
        <NativeSelect
          name="entityType"
          label={t('Document type')}
          data={numberedEntities.map((value) => ({ value, label: kindName(value) }))}
          defaultValue="INVOICE"
          error={errors['entityType']}
        />
      )}
      <TextInput
        name="pattern"
        label={t('Format')}
        description={t('{seq} or {seq5} counts; {yyyy}, {yy}, {mm} and {dd} are of the day of issue', patternParts)}
        defaultValue={row?.pattern ?? 'INV-{YYYY}-{SEQ:5}'}
        maxLength={60}
        required
        withAsterisk={false}
        error={errors['pattern']}
        autoComplete="off"
      />
      <NativeSelect
        name="resetPeriod"
        label={t('Resets')}
        data={resetPeriods.map((value) => ({ value, label: periodNames[value] }))}
        defaultValue={row?.resetPeriod ?? 'YEAR'}
        error={errors['resetPeriod']}
      />
      <DecimalInput
        name="nextValue"
        label={t('Next number')}
        defaultValue={String(row?.nextValue ?? 1)}
        required
        withAsterisk={false}
        error={errors['nextValue']}
      />
      {!row?.isDefault && <Checkbox name="isDefault" label={t('Use this numbering')} />}
    </>
  )
}

const patternParts = { seq: '{SEQ}', seq5: '{SEQ:5}', yyyy: '{YYYY}', yy: '{YY}', mm: '{MM}', dd: '{DD}' }

/** The numbering of quotes, orders and invoices. */
export function NumberSequencesPage() {
  const { may } = useSession()
  return (
    <Page title={t('Numbering')} note={t('Each document gets the next number when it is issued, without gaps.')} narrow>
      <ReferencePanel kind={sequences} mayChange={may('MANAGE_REFERENCE_DATA')} />
    </Page>
  )
}
