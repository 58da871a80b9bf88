import { contacts } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import {
  bulkHandlers,
  createHandler,
  duplicateHandlers,
  readHandlers,
  writeHandlers,
} from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { contactWriter, createContact } from './contacts.commands.ts'
import { contactDuplicates } from './contacts.likenesses.ts'
import { contactKind } from '../../../kinds/contacts.ts'
import { showFollowedUp } from '../../../kinds/follow-ups.ts'

export const implementedContacts = implement(contacts, {
  ...readHandlers(contactKind, showFollowedUp),
  ...summaryHandler(contactKind),
  ...writeHandlers(contactWriter, showFollowedUp),
  ...bulkHandlers(contactWriter, 'contacts'),
  ...duplicateHandlers(
    contactDuplicates,
    {
      group: (by, { value, count, records }) => ({ by, value, count, contacts: [...records] }),
      alike: ({ record, score, matchedOn }) => ({ contact: record, score, matchedOn }),
    },
    showFollowedUp,
  ),
  create: createHandler(createContact, showFollowedUp),
})
