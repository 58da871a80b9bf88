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
  NEVER: t('settings.never'),
  YEAR: t('settings.everyYear'),
  MONTH: t('settings.everyMonth'),
} as const

const sequences: ReferenceKind<Sequence> = {
  title: t('settings.sequences'),
  noun: t('settings.numberSequence'),
  key: ['number-sequences'],
  read: (signal) => allItems((page) => crm.numberSequences.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  markOf: ({ isDefault }) => isDefault && <Pill tone="green">{t('settings.inUse')}</Pill>,
  columns: [
    { label: t('settings.documentType'), cell: ({ entityType }) => kindName(entityType) },
    { label: t('settings.format'), isExtra: true, cell: ({ pattern }) => <code>{pattern}</code> },
    { label: t('settings.next'), isExtra: true, cell: ({ nextValue }) => nextValue },
    { label: t('settings.resets'), isExtra: true, cell: ({ resetPeriod }) => periodNames[resetPeriod] },
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
          label={t('settings.documentType')}
          data={numberedEntities.map((value) => ({ value, label: kindName(value) }))}
          defaultValue="INVOICE"
          error={errors['entityType']}
        />
      )}
      <TextInput
        name="pattern"
        label={t('settings.format')}
        description={t('settings.seqOrSeq5Counts')}
        defaultValue={row?.pattern ?? 'INV-{YYYY}-{SEQ:5}'}
        maxLength={60}
        required
        withAsterisk={false}
        error={errors['pattern']}
        autoComplete="off"
      />
      <NativeSelect
        name="resetPeriod"
        label={t('settings.resets')}
        data={resetPeriods.map((value) => ({ value, label: periodNames[value] }))}
        defaultValue={row?.resetPeriod ?? 'YEAR'}
        error={errors['resetPeriod']}
      />
      <DecimalInput
        name="nextValue"
        label={t('settings.nextNumber')}
        defaultValue={String(row?.nextValue ?? 1)}
        required
        withAsterisk={false}
        error={errors['nextValue']}
      />
      {!row?.isDefault && <Checkbox name="isDefault" label={t('settings.useThisNumbering')} />}
    </>
  )
}

/** The numbering of quotes, orders and invoices. */
export function NumberSequencesPage() {
  const { may } = useSession()
  return (
    <Page title={t('settings.numbering')} note={t('settings.eachDocumentGetsTheNext')} narrow>
      <ReferencePanel kind={sequences} mayChange={may('MANAGE_REFERENCE_DATA')} />
    </Page>
  )
}
