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
    title: t('Currencies'),
    note: t('Amounts can be in the active ones.'),
    noun: t('currency'),
    key: ['currencies', 'all'],
    read: async (signal) => (await crm.currencies.list({ signal })).data,
    nameOf: ({ code }) => code,
    markOf: ({ code }) => code === base && <Pill tone="green">{t('Of the workspace')}</Pill>,
    columns: [
      { label: t('Name'), isExtra: true, cell: ({ name }) => name },
      { label: t('Value in {base}', { base }), cell: ({ code, rate }) => (code === base ? null : rate) },
      { label: t('Active'), cell: ({ isActive }) => <ActiveMark isActive={isActive} /> },
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
          label={t('Code')}
          placeholder={t('CHF')}
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
        label={t('Name')}
        defaultValue={row?.name}
        maxLength={100}
        required={row !== undefined}
        withAsterisk={false}
        error={errors['name']}
        {...(row === undefined ? { description: t('Empty = default') } : {})}
        autoComplete="off"
      />
      <DecimalInput
        name="rate"
        label={t('Value in workspace currency')}
        defaultValue={row?.rate ?? ''}
        error={errors['rate']}
      />
      <ActiveField isActive={row?.isActive} />
    </>
  )
}

const units: ReferenceKind<Unit> = {
  title: t('Units'),
  note: t('What quantities are counted in.'),
  noun: t('unit'),
  key: ['units', 'all'],
  read: async (signal) => (await crm.units.list({ signal })).data,
  nameOf: ({ name }) => name,
  columns: [{ label: t('Symbol'), cell: ({ symbol }) => symbol }],
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
        label={t('Symbol')}
        placeholder={t('kg')}
        maxLength={20}
        defaultValue={row?.symbol ?? ''}
        error={errors['symbol']}
        autoComplete="off"
      />
    </>
  )
}

const taxRates: ReferenceKind<TaxRate> = {
  title: t('Tax rates'),
  note: t('Documents keep the name and rate of the time they were written.'),
  noun: t('tax rate'),
  key: ['taxRates', 'all'],
  read: async (signal) => (await crm.taxRates.list({ signal })).data,
  nameOf: ({ name }) => name,
  columns: [
    { label: t('Rate'), cell: ({ rate }) => `${rate} %` },
    { label: t('Active'), cell: ({ isActive }) => <ActiveMark isActive={isActive} /> },
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
        label={t('Percent')}
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
      label={t('Active')}
      description={t('Inactive entries are hidden from pickers')}
      defaultChecked={isActive ?? true}
    />
  )
}

function ActiveMark({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <Pill tone="green">{t('Active')}</Pill> : <Pill>{t('Not active')}</Pill>
}

/** The tax rates, the units of quantities, and the currencies. */
export function MoneyPage() {
  const { may, person } = useSession()
  const mayChange = may('MANAGE_REFERENCE_DATA')
  return (
    <Page title={t('Taxes')} narrow>
      <ReferencePanel kind={taxRates} mayChange={mayChange} />
      <ReferencePanel kind={units} mayChange={mayChange} />
      <ReferencePanel kind={currenciesIn(person.workspace.currency)} mayChange={mayChange} />
    </Page>
  )
}
