import { contacts, success } from '@crm/contract'
import { implement } from '../../platform/context.ts'
import {
  bulkHandlers,
  duplicateHandlers,
  presentOne,
  readHandlers,
  writeHandlers,
} from '../../records/owned/handlers.ts'
import { summaryHandler } from '../../domain/summaries/summary.handlers.ts'
import { contactWriter, createContact } from './contacts.commands.ts'
import { contactLikenesses, contactMerge } from './contacts.likenesses.ts'
import { contactKind } from '../../kinds/contacts.ts'
import { showFollowedUp } from '../../kinds/follow-ups.ts'

export const implementedContacts = implement(contacts, {
  ...readHandlers(contactKind, showFollowedUp),
  ...summaryHandler(contactKind),
  ...writeHandlers(contactWriter, showFollowedUp),
  ...bulkHandlers(contactWriter, 'contacts'),
  ...duplicateHandlers(
    contactMerge,
    contactLikenesses,
    {
      group: (by, { value, count, records }) => ({ by, value, count, contacts: [...records] }),
      alike: ({ record, score, matchedOn }) => ({ contact: record, score, matchedOn }),
    },
    showFollowedUp,
  ),
  create: async ({ body }, context) =>
    success(
      await context.transact(async (tx) =>
        presentOne(showFollowedUp, tx, context, await createContact(tx, context, body)),
      ),
    ),
})
