import { taxModes } from '@crm/contract'
import type { TaxRate } from '@crm/pricing'
import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { fieldErrors } from '../../base/refusals.ts'
import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { keepDocument } from '../../domain/finance/finance-queries.ts'
import { kindWords, taxModeNames, type FinanceKind, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { currencyChoices } from '../../records/choices.ts'
import { useUnsaved } from '../../shell/leave-guard.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { addressDraft, bodyOf, sentLines, totalsOf, type DocumentDraft, type LineDraft } from './document-draft.ts'
import { documentWriters } from './document-writers.ts'
import classes from './finance.module.css'
import { DiscountField, LinesEditor } from './lines-editor.tsx'
import { AddressFields, PartyField } from './party-fields.tsx'
import { Totals } from './totals.tsx'
import { useIdempotencyKey, useVerb } from './use-verb.ts'
import { t } from './texts.ts'
import { capitalized, named } from '../../base/texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

interface DocumentEditorProps {
  readonly kind: FinanceKind
  /** The draft to change; absent for a new document. */
  readonly record?: FinanceRecord
  readonly begin: DocumentDraft
  /** Called after the document was saved. */
  onSaved(record: FinanceRecord): Promise<unknown>
  onCancel(): unknown
}

/** Edits a quote, an order or an invoice: its parties, its lines and its totals. */
export function DocumentEditor({ kind, record, begin, onSaved, onCancel }: DocumentEditorProps) {
  const [draft, setDraft] = useState(begin)
  const client = useQueryClient()
  const keyFor = useIdempotencyKey()
  const isLeft = useRef(false)
  const taxRates = useTaxRates(record)
  const totals = totalsOf(draft, taxRates)
  const change = (changed: Partial<DocumentDraft>) => setDraft((before) => ({ ...before, ...changed }))
  const save = useVerb(
    (sent: DocumentDraft) => {
      const body = bodyOf(sent, { isNew: record === undefined })
      if (record === undefined) return documentWriters[kind].create(body, sent.until, keyFor([body, sent.until]))
      return documentWriters[kind].update(record, body, sent.until === begin.until ? undefined : sent.until)
    },
    {
      said: record === undefined ? t('{noun} created', named(capitalized(kindWords[kind].one))) : t('Saved'),
      onDone: ({ data }) => {
        isLeft.current = true
        keepDocument(client, kind, data)
        return onSaved(data)
      },
    },
  )
  const errors = fieldErrors(save.error)
  const refusedLines = sentLines(save.variables ?? draft)
  const errorOf = (line: LineDraft, field: string) =>
    errors[`items.${refusedLines.findIndex(({ key }) => key === line.key)}.${field}`]
  useUnsaved(() => draft !== begin && !isLeft.current)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <form
      className={classes.editor}
      data-kept
      onSubmit={send}
      onKeyDown={keepOpen}
      aria-label={
        record === undefined
          ? t('New {noun}', named(kindWords[kind].one))
          : t('Edit {noun}', named(kindWords[kind].one))
      }
      noValidate
    >
      <div className={classes.column}>
        <Panel title={t('Customer')}>
          <Parties draft={draft} errors={errors} onChange={change} />
        </Panel>
        <Panel title={t('Terms')}>
          <Terms kind={kind} draft={draft} errors={errors} onChange={change} />
        </Panel>
        <Panel title={t('Lines')}>
          <LinesEditor
            draft={draft}
            totals={totals.lines}
            errorOf={errorOf}
            onChange={(next) => setDraft((before) => ({ ...before, lines: next(before.lines) }))}
          />
        </Panel>
        <Panel title={t('Texts')}>
          <Texts draft={draft} errors={errors} onChange={change} />
        </Panel>
      </div>
      <div className={classes.beside}>
        <Panel title={t('Totals')}>
          <div className={classes.column}>
            <DiscountField
              label={t('Discount on everything')}
              discount={draft.discount}
              currency={draft.currency}
              error={errors['discount.value'] ?? errors['discount']}
              onChange={(discount) => change({ discount })}
            />
            <Totals currency={draft.currency} totals={totals} />
          </div>
        </Panel>
        <Problems error={save.error} errors={errors} />
        <div className={classes.actions}>
          <Button type="submit" loading={save.isPending}>
            {record === undefined ? t('Create {noun}', named(kindWords[kind].one)) : t('Save')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** A person who ends a field with Enter is rarely done with the whole document. */
function keepOpen(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** Returns the tax rates by id; the rates in the document count even if they were deleted since. */
function useTaxRates(record: FinanceRecord | undefined): ReadonlyMap<string, TaxRate> {
  const { taxRates } = useCatalogueLists()
  return new Map([
    ...(record?.taxes ?? []).map(({ taxRateId, name, rate }) => [taxRateId, { name, rate }] as const),
    ...taxRates.map(({ id, name, rate }) => [id, { name, rate }] as const),
  ])
}

interface SectionProps {
  readonly draft: DocumentDraft
  readonly errors: Readonly<Record<string, string>>
  onChange(change: Partial<DocumentDraft>): void
}

function Parties({ draft, errors, onChange }: SectionProps) {
  const { companyId, contactId, dealId, billingAddress } = draft
  return (
    <div className={classes.column}>
      <div className={classes.fields}>
        <PartyField
          entityType="COMPANY"
          label={t('Company')}
          id={companyId}
          error={errors['companyId']}
          onChange={(id) => onChange({ companyId: id })}
        />
        <PartyField
          entityType="CONTACT"
          label={t('Contact')}
          id={contactId}
          error={errors['contactId']}
          onChange={(id) => onChange({ contactId: id })}
        />
        <PartyField
          entityType="DEAL"
          label={t('Deal')}
          id={dealId}
          error={errors['dealId']}
          onChange={(id) => onChange({ dealId: id })}
        />
      </div>
      <Checkbox
        label={t('A billing address of its own')}
        checked={billingAddress !== null}
        onChange={(event) => onChange({ billingAddress: event.currentTarget.checked ? addressDraft() : null })}
      />
      {billingAddress !== null && (
        <AddressFields
          address={billingAddress}
          errors={errors}
          onChange={(address) => onChange({ billingAddress: address })}
        />
      )}
    </div>
  )
}

function Texts({ draft, errors, onChange }: SectionProps) {
  return (
    <div className={classes.column}>
      <Textarea
        label={t('Notes', { context: 'on a document' })}
        rows={2}
        value={draft.notes}
        error={errors['notes']}
        onChange={(event) => onChange({ notes: event.currentTarget.value })}
      />
      <Textarea
        label={t('Terms of payment and delivery')}
        rows={2}
        value={draft.terms}
        error={errors['terms']}
        onChange={(event) => onChange({ terms: event.currentTarget.value })}
      />
    </div>
  )
}

function Terms({ kind, draft, errors, onChange }: SectionProps & { readonly kind: FinanceKind }) {
  const { currencies } = useCatalogueLists()
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('Currency')}
        value={draft.currency}
        error={errors['currency']}
        onChange={(event) => onChange({ currency: event.currentTarget.value })}
        data={currencyChoices(currencies, draft.currency)}
      />
      <NativeSelect
        label={t('Taxes')}
        value={draft.taxMode}
        error={errors['taxMode']}
        onChange={(event) =>
          onChange({ taxMode: taxModes.find((mode) => mode === event.currentTarget.value) ?? 'EXCLUSIVE' })
        }
        data={taxModes.map((value) => ({ value, label: taxModeNames[value] }))}
      />
      <DayInput
        label={t('Date')}
        value={draft.issueDate}
        error={errors['issueDate']}
        description={t('Empty = date of issue')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(issueDate) => onChange({ issueDate })}
      />
      <DayInput
        label={kindWords[kind].until}
        value={draft.until}
        error={errors['dueDate'] ?? errors['expiresAt']}
        onChange={(until) => onChange({ until })}
      />
    </div>
  )
}

/**
 * The problems of the document. Problems of fields are shown beside them, and here only mentioned; all others are shown
 * in words.
 */
function Problems({ error, errors }: { readonly error: unknown; readonly errors: Readonly<Record<string, string>> }) {
  const [field] = Object.keys(errors)
  if (field === undefined) return <RefusalAlert error={error} />
  return (
    <div role="alert" className={classes.problem}>
      {errors[''] ?? errors['items'] ?? t('Not saved. Fix the marked fields.')}
    </div>
  )
}
