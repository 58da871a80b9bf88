import type { DocumentRecord } from '@crm/contract'
import type { Tone } from '../../shell/pill.tsx'
import { t } from '../../base/texts.ts'

export type DocumentStatus = DocumentRecord['status']

/** The states of a document in words, with their looks. */
export const documentStatuses: Readonly<Record<DocumentStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: t('Draft'), tone: 'neutral' },
  SENT: { name: t('Sent'), tone: 'blue' },
  SIGNED: { name: t('Signed'), tone: 'green' },
  VOID: { name: t('Void', { context: 'a document' }), tone: 'red' },
}

/** The next states of a document in each state, with the words for them. */
export const documentSteps: Readonly<
  Record<DocumentStatus, readonly (readonly [to: DocumentStatus, label: string])[]>
> = {
  DRAFT: [
    ['SENT', t('Mark as sent')],
    ['SIGNED', t('Mark as signed')],
    ['VOID', t('Void', { context: 'a document' })],
  ],
  SENT: [
    ['SIGNED', t('Mark as signed')],
    ['VOID', t('Void', { context: 'a document' })],
  ],
  SIGNED: [['VOID', t('Void', { context: 'a document' })]],
  VOID: [],
}
