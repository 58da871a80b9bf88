import type { DocumentRecord } from '@crm/contract'
import type { Tone } from '../../shell/pill.tsx'

export type DocumentStatus = DocumentRecord['status']

/** The states of a document in words, with their looks. */
export const documentStatuses: Readonly<Record<DocumentStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: 'Draft', tone: 'neutral' },
  SENT: { name: 'Sent', tone: 'blue' },
  SIGNED: { name: 'Signed', tone: 'green' },
  VOID: { name: 'Void', tone: 'red' },
}

/** The next states of a document in each state, with the words for them. */
export const documentSteps: Readonly<
  Record<DocumentStatus, readonly (readonly [to: DocumentStatus, label: string])[]>
> = {
  DRAFT: [
    ['SENT', 'Mark as sent'],
    ['SIGNED', 'Mark as signed'],
    ['VOID', 'Void'],
  ],
  SENT: [
    ['SIGNED', 'Mark as signed'],
    ['VOID', 'Void'],
  ],
  SIGNED: [['VOID', 'Void']],
  VOID: [],
}
