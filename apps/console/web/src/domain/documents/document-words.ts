import type { DocumentRecord } from '@crm/contract'
import type { Tone } from '../../shell/pill.tsx'
import { t } from '../../base/texts.ts'

export type DocumentStatus = DocumentRecord['status']

/** The states of a document in words, with their looks. */
export const documentStatuses: Readonly<Record<DocumentStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: t('common.draft'), tone: 'neutral' },
  SENT: { name: t('documents.sent'), tone: 'blue' },
  SIGNED: { name: t('documents.signed'), tone: 'green' },
  VOID: { name: t('documents.void'), tone: 'red' },
}

/** The next states of a document in each state, with the words for them. */
export const documentSteps: Readonly<
  Record<DocumentStatus, readonly (readonly [to: DocumentStatus, label: string])[]>
> = {
  DRAFT: [
    ['SENT', t('documents.markAsSent')],
    ['SIGNED', t('documents.markAsSigned')],
    ['VOID', t('documents.void')],
  ],
  SENT: [
    ['SIGNED', t('documents.markAsSigned')],
    ['VOID', t('documents.void')],
  ],
  SIGNED: [['VOID', t('documents.void')]],
  VOID: [],
}
