import { leads, success } from '@crm/contract'
import { reaches } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { implement } from '../../../platform/context.ts'
import {
  bulkHandlers,
  duplicateHandlers,
  presentOne,
  readHandlers,
  requireRecord,
  writeHandlers,
} from '../../../records/owned/handlers.ts'
import { stageTimesHandler } from '../../../domain/history/stage-times.handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { recallPipeline } from '../../../records/pipeline-facts.ts'
import { createLead, leadWriter } from './leads.commands.ts'
import {
  companyDraft,
  contactDraft,
  convertLead,
  dealName,
  isPerson,
  type ConversionTargets,
} from './leads.conversion.ts'
import { findCompanyCandidates, findContactCandidates } from './leads.counterparts.ts'
import { alreadyConverted } from './leads.intake.ts'
import { leadDuplicates } from './leads.likenesses.ts'
import { showStaged } from '../../../kinds/follow-ups.ts'
import { leadKind } from '../../../kinds/leads.ts'

/** Returns the operations on leads; `targets` creates the records to which a lead is converted. */
export const implementLeads = (targets: ConversionTargets) =>
  implement(leads, {
    ...readHandlers(leadKind, showStaged),
    ...summaryHandler(leadKind),
    ...stageTimesHandler(leadKind),
    ...writeHandlers(leadWriter, showStaged),
    ...bulkHandlers(leadWriter, 'leads'),
    ...duplicateHandlers(
      leadDuplicates,
      {
        group: (by, { value, count, records }) => ({ by, value, count, leads: [...records] }),
        alike: ({ record, score, matchedOn }) => ({ lead: record, score, matchedOn }),
        // Somebody known already: a hint, never a merge.
        beside: async (context, signs) => ({ contacts: await findContactCandidates(context.db, context, signs) }),
      },
      showStaged,
    ),

    create: async ({ body }, context) => {
      const { mergedIntoId, ...lead } = await context.transact(async (tx) =>
        presentOne(showStaged, tx, context, await createLead(tx, context, body)),
      )
      if (mergedIntoId === undefined) return success(lead)
      const scope = context.scopeIfAllowed(leadKind.entityType)
      // A person who may not see the duplicate learns only that it exists.
      return success({ ...(scope && reaches(scope, lead) ? lead : { ...body, id: lead.id }), mergedIntoId })
    },

    convert: async ({ params, body }, context) => {
      const scope = context.scope(leadKind.entityType, 'UPDATE')
      return success(
        await context.transact(async (tx) => {
          const locked = await lockRecord(tx, context, leadKind, scope, params.id)
          const converted = await convertLead(targets, tx, context, locked, body)
          return { ...converted, lead: await presentOne(showStaged, tx, context, converted.lead) }
        }),
      )
    },

    conversionOptions: async ({ params }, context) => {
      const lead = await requireRecord(context, leadKind, params.id)
      if (lead.convertedAt) throw alreadyConverted(lead)
      const person = contactDraft(lead, undefined)
      const contacts = await findContactCandidates(context.db, context, person)
      const company = companyDraft(lead, undefined)
      const companies = await findCompanyCandidates(context.db, context, company, { isSure: false })
      const [linked] = await findCompanyCandidates(context.db, context, company, { isSure: true })
      const pipeline = await recallPipeline(context.db, context, 'DEAL', undefined)
      const [stage] = pipeline?.stages ?? []
      if (!pipeline || !stage) throw invalidReference('pipelineId')
      return success({
        contact: { mode: modeFor(contacts.length, isPerson(person)), candidates: contacts },
        company: { mode: modeFor(linked ? 1 : 0, company.name !== undefined), candidates: companies },
        deal: { mode: 'CREATE' as const, name: dealName(lead), pipelineId: pipeline.id, stageId: stage.id },
      })
    },
  })

function modeFor(candidates: number, canCreate: boolean): 'EXISTING' | 'CREATE' | 'NONE' {
  if (candidates > 0) return 'EXISTING'
  return canCreate ? 'CREATE' : 'NONE'
}
