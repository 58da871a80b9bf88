import { companies } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import {
  bulkHandlers,
  createHandler,
  duplicateHandlers,
  readHandlers,
  writeHandlers,
} from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { companyWriter, createCompany } from './companies.commands.ts'
import { companyDuplicates } from './companies.likenesses.ts'
import { companyKind } from '../../../kinds/companies.ts'
import { showFollowedUp } from '../../../kinds/follow-ups.ts'

export const implementedCompanies = implement(companies, {
  ...readHandlers(companyKind, showFollowedUp),
  ...summaryHandler(companyKind),
  ...writeHandlers(companyWriter, showFollowedUp),
  ...bulkHandlers(companyWriter, 'companies'),
  ...duplicateHandlers(
    companyDuplicates,
    {
      group: (by, { value, count, records }) => ({ by, value, count, companies: [...records] }),
      alike: ({ record, score, matchedOn }) => ({ company: record, score, matchedOn }),
    },
    showFollowedUp,
  ),
  create: createHandler(createCompany, showFollowedUp),
})
