import { Checkbox, TextInput } from '@mantine/core'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { NameField } from '../../records/name-field.tsx'
import { ReferencePanel, type ReferenceFieldsProps, type ReferenceKind } from '../../records/reference-panel.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { t } from './texts.ts'

type Currency = Awaited<ReturnType<typeof crm.currencies.list>>['data'][number]
type Unit = Awaited<ReturnType<typeof crm.units.list>>['data'][number]
type TaxRate = Awaited<ReturnType<typeof crm.taxRates.list>>['data'][number]

function currenciesIn(base: string): ReferenceKind<Currency> {
  return {
    title: t('settings.currencies'),
    note: t('settings.amountsCanBeInThe'),
    noun: t('settings.currency'),
    key: ['currencies', 'all'],
    read: async (signal) => (await crm.currencies.list({ signal })).data,
    nameOf: ({ code }) => code,
    markOf: ({ code }) => code === base && <Pill tone="green">{t('settings.ofTheWorkspace')}</Pill>,
    columns: [
      { label: t('common.name'), isExtra: true, cell: ({ name }) => name },
      { label: t('settings.worthInBase', { base }), cell: ({ code, rate }) => (code === base ? null : rate) },
      { label: t('common.active'), cell: ({ isActive }) => <ActiveMark isActive={isActive} /> },
    ],
    Fields: CurrencyFields,
    save: (row, form) => {
      const fields = { rate: textIn(form, 'rate').trim() || null, isActive: form.has('isActive') }
      const name = textIn(form, 'name').trim()
      if (row === undefined)
        return crm.currencies.create({
          body: { code: textIn(form, 'code').trim().toUpperCase(), ...(name === '' ? {} : { name }), ...fields },
        })
      return crm.currencies.update({ params: { id: row.id }, body: { name, ...fields } })
    },
    remove: ({ id }) => crm.currencies.delete({ params: { id } }),
    mayGo: ({ code }) => code !== base,
  }
}

function CurrencyFields({ row, errors }: ReferenceFieldsProps<Currency>) {
  return (
    <>
      {row === undefined && (
        <TextInput
          name="code"
          label={t('common.code')}
          placeholder={t('settings.chf')}
          maxLength={3}
          required
          withAsterisk={false}
          error={errors['code'] ?? errors['currency']}
          autoComplete="off"
          data-autofocus
        />
      )}
      <TextInput
        name="name"
        label={t('common.name')}
        defaultValue={row?.name}
        maxLength={100}
        required={row !== undefined}
        withAsterisk={false}
        error={errors['name']}
        {...(row === undefined ? { description: t('settings.emptyDefault') } : {})}
        autoComplete="off"
      />
      <DecimalInput
        name="rate"
        label={t('settings.valueInWorkspaceCurrency')}
        defaultValue={row?.rate ?? ''}
        error={errors['rate']}
      />
      <ActiveField isActive={row?.isActive} />
    </>
  )
}

const units: ReferenceKind<Unit> = {
  title: t('settings.units'),
  note: t('settings.whatQuantitiesAreCountedIn'),
  noun: t('settings.unit'),
  key: ['units', 'all'],
  read: async (signal) => (await crm.units.list({ signal })).data,
  nameOf: ({ name }) => name,
  columns: [{ label: t('settings.symbol'), cell: ({ symbol }) => symbol }],
  Fields: UnitFields,
  save: (row, form) => {
    const body = { name: textIn(form, 'name'), symbol: textIn(form, 'symbol') }
    return row ? crm.units.update({ params: { id: row.id }, body }) : crm.units.create({ body })
  },
  remove: ({ id }) => crm.units.delete({ params: { id } }),
}

function UnitFields({ row, errors }: ReferenceFieldsProps<Unit>) {
  return (
    <>
      <NameField row={row} errors={errors} />
      <TextInput
        name="symbol"
        label={t('settings.symbol')}
        placeholder={t('settings.kg')}
        maxLength={20}
        defaultValue={row?.symbol ?? ''}
        error={errors['symbol']}
        autoComplete="off"
      />
    </>
  )
}

const taxRates: ReferenceKind<TaxRate> = {
  title: t('settings.taxRates'),
  note: t('settings.documentsKeepTheNameAnd'),
  noun: t('settings.taxRate'),
  key: ['taxRates', 'all'],
  read: async (signal) => (await crm.taxRates.list({ signal })).data,
  nameOf: ({ name }) => name,
  columns: [
    { label: t('settings.rate'), cell: ({ rate }) => `${rate} %` },
    { label: t('common.active'), cell: ({ isActive }) => <ActiveMark isActive={isActive} /> },
  ],
  Fields: TaxRateFields,
  save: (row, form) => {
    const body = { name: textIn(form, 'name'), rate: textIn(form, 'rate').trim(), isActive: form.has('isActive') }
    return row ? crm.taxRates.update({ params: { id: row.id }, body }) : crm.taxRates.create({ body })
  },
  remove: ({ id }) => crm.taxRates.delete({ params: { id } }),
}

function TaxRateFields({ row, errors }: ReferenceFieldsProps<TaxRate>) {
  return (
    <>
      <NameField row={row} errors={errors} />
      <DecimalInput
        name="rate"
        label={t('settings.percent')}
        placeholder="19"
        defaultValue={row?.rate}
        required
        withAsterisk={false}
        error={errors['rate']}
      />
      <ActiveField isActive={row?.isActive} />
    </>
  )
}

function ActiveField({ isActive }: { readonly isActive: boolean | undefined }) {
  return (
    <Checkbox
      name="isActive"
      label={t('common.active')}
      description={t('settings.inactiveEntriesAreHiddenFrom')}
      defaultChecked={isActive ?? true}
    />
  )
}

function ActiveMark({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <Pill tone="green">{t('common.active')}</Pill> : <Pill>{t('settings.notActive')}</Pill>
}

/** The tax rates, the units of quantities, and the currencies. */
export function MoneyPage() {
  const { may, person } = useSession()
  const mayChange = may('MANAGE_REFERENCE_DATA')
  return (
    <Page title={t('frame.taxes')} narrow>
      <ReferencePanel kind={taxRates} mayChange={mayChange} />
      <ReferencePanel kind={units} mayChange={mayChange} />
      <ReferencePanel kind={currenciesIn(person.workspace.currency)} mayChange={mayChange} />
    </Page>
  )
}
