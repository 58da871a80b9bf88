import { postalLines } from '@crm/postal'
import { Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { describeDay, describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { documentAddresses } from '../../domain/finance/finance-address.ts'
import { StatusMark } from '../../domain/finance/finance-marks.tsx'
import {
  amountInWords,
  describeUntil,
  documentTitle,
  kindWords,
  taxModeNames,
  type FinanceKind,
  type FinanceRecord,
} from '../../domain/finance/finance-words.ts'
import { RecordPage, WithRecord } from '../../records/record-page.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { addressOf, listOf } from '../../records/record-place.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { useRemoval } from '../../records/use-removal.ts'
import { Facts } from '../../shell/facts.tsx'
import { MoreActions } from '../../shell/more-actions.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { DocumentLines } from './document-lines.tsx'
import finance from './finance.module.css'
import { SettledDialog } from './settled-dialog.tsx'
import { t } from './texts.ts'
import { language } from '../../base/texts.ts'

/** Shows content that needs a document, once the document is there. */
export function DocumentPage<Shown extends FinanceRecord>({
  kind,
  ...page
}: {
  readonly kind: FinanceKind
  readonly reading: { readonly data: Shown | undefined; readonly error: Error | null; refetch(): unknown }
  children(record: Shown): ReactNode
}) {
  return <WithRecord noun={kindWords[kind].one} back={<BackToList kind={kind} />} {...page} />
}

/** The link from a document to the list of its kind. */
export function BackToList({ kind }: { readonly kind: FinanceKind }) {
  return (
    <BackLink to={listOf(kind)} search={{}}>
      {kindWords[kind].title}
    </BackLink>
  )
}

/** An action on a document. */
export interface Verb {
  readonly label: string
  readonly isDestructive?: boolean
  /** Whether it is the usual next action. */
  readonly isNext?: boolean
  readonly isBusy?: boolean
  run(): void
}

interface DocumentViewProps {
  readonly kind: FinanceKind
  readonly record: FinanceRecord
  /** Facts that only this kind of document has. */
  readonly facts?: readonly (readonly [name: string, value: ReactNode])[]
  /** Sums below the total, such as the paid amount. */
  readonly sums?: readonly (readonly [name: string, amount: string])[]
  readonly verbs: readonly Verb[]
  /** The refusal of an action. */
  readonly error: unknown
  /** Content below the lines, and beside them. */
  readonly below?: ReactNode
  readonly beside?: ReactNode
}

/** A document: its state and next action, its lines and sums, and its history. */
export function DocumentView({ kind, record, facts = [], sums, verbs, error, below, beside }: DocumentViewProps) {
  const place = { entityType: kind, entityId: record.id } as const
  return (
    <RecordPage
      record={place}
      title={documentTitle(kind, record)}
      note={
        <span className={finance.heading}>
          <StatusMark record={record} />
          <span>{amountInWords(record.total, record.currency)}</span>
          {record.partyName !== null && <span>{record.partyName}</span>}
        </span>
      }
      back={<BackToList kind={kind} />}
      actions={<Verbs kind={kind} record={record} verbs={verbs} />}
      top={<RefusalAlert error={error} />}
      main={
        <>
          <Panel title={t('Lines')} flush>
            <DocumentLines record={record} {...(sums === undefined ? {} : { more: sums })} />
          </Panel>
          {below}
          {(record.notes !== null || record.terms !== null) && (
            <Panel title={t('Texts')}>
              <Facts
                facts={[
                  ...(record.notes === null ? [] : [[t('Notes', { context: 'on a document' }), record.notes] as const]),
                  ...(record.terms === null ? [] : [[t('Terms'), record.terms] as const]),
                ]}
              />
            </Panel>
          )}
        </>
      }
      aside={
        <>
          <Panel title={t('Details')}>
            <DocumentFacts kind={kind} record={record} facts={facts} />
          </Panel>
          {beside}
          <DocumentsPanel record={place} />
          <FilesPanel record={place} />
        </>
      }
    />
  )
}

function DocumentFacts({
  kind,
  record,
  facts,
}: Pick<DocumentViewProps, 'kind' | 'record'> & { readonly facts: NonNullable<DocumentViewProps['facts']> }) {
  const { person } = useSession()
  const people = usePeopleNames([record.ownerId])
  const company = useRecordName('COMPANY', record.companyId)
  const contact = useRecordName('CONTACT', record.contactId)
  const deal = useRecordName('DEAL', record.dealId)
  const until = 'expiresAt' in record ? record.expiresAt : record.dueDate
  return (
    <Facts
      facts={[
        [
          t('Company'),
          record.companyId && (
            <Link key="company" {...addressOf({ entityType: 'COMPANY', entityId: record.companyId })}>
              {company}
            </Link>
          ),
        ],
        [
          t('Contact'),
          record.contactId && (
            <Link key="contact" {...addressOf({ entityType: 'CONTACT', entityId: record.contactId })}>
              {contact}
            </Link>
          ),
        ],
        ...(record.dealId === null
          ? []
          : [
              [
                t('Deal'),
                <Link key="deal" {...addressOf({ entityType: 'DEAL', entityId: record.dealId })}>
                  {deal}
                </Link>,
              ] as const,
            ]),
        [t('Billing address'), describeAddress(record.billingAddress)],
        [t('Date'), record.issueDate && describeDay(record.issueDate, 'UTC')],
        [kindWords[kind].until, describeUntil(until, person.workspace.timezone)],
        ...facts,
        [t('Taxes'), taxModeNames[record.taxMode]],
        [t('Owner'), (record.ownerId !== null && people.get(record.ownerId)) || null],
        ...(record.tags.length > 0 ? [[t('Tags'), record.tags.join(', ')] as const] : []),
        [t('Created'), describeInstant(record.createdAt)],
      ]}
    />
  )
}

function describeAddress(address: FinanceRecord['billingAddress']): string | null {
  return address && postalLines(address, language).join('\n')
}

/** The next action as a button; the others in a menu. */
function Verbs({ kind, record, verbs }: Pick<DocumentViewProps, 'kind' | 'record' | 'verbs'>) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const removal = useRemoval(kind, () => navigate({ to: listOf(kind), search: {} }))
  const isDraft = record.status === 'DRAFT'
  const edit = () =>
    isDraft ? void navigate({ to: documentAddresses[kind].edit, params: { id: record.id } }) : setEditing(true)
  const mayDelete = may(`DELETE_${kind}`) && (isDraft || kind !== 'INVOICE')
  const rest: Verb[] = [
    ...verbs.filter(({ isNext }) => !isNext),
    ...(mayDelete ? [{ label: t('Delete'), isDestructive: true, run: () => removal.mutate(record.id) }] : []),
  ]
  return (
    <>
      {rest.length > 0 && (
        <MoreActions>
          {rest.map(({ label, isDestructive, run }) => (
            <Menu.Item key={label} c={isDestructive ? 'var(--mantine-color-error)' : undefined} onClick={run}>
              {label}
            </Menu.Item>
          ))}
        </MoreActions>
      )}
      {may(`UPDATE_${kind}`) && (
        <Button variant="default" onClick={edit}>
          {t('Edit')}
        </Button>
      )}
      {verbs
        .filter(({ isNext }) => isNext)
        .map(({ label, isBusy, run }) => (
          <Button key={label} loading={isBusy ?? false} onClick={run}>
            {label}
          </Button>
        ))}
      {isEditing && <SettledDialog kind={kind} record={record} onClose={() => setEditing(false)} />}
    </>
  )
}
