import { leads, StatusReply, success } from '@crm/contract'
import { implement, type CrmContext } from '../../context.ts'
import { listCustomFieldKinds } from '../../records/custom-field-filters.ts'
import { enqueueJob } from '../../records/jobs.ts'
import { createTotals } from '../../records/totals.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { rehearsed } from '../../records/rehearsal.ts'
import { changeLeads, removeLeads, selectIds, type BulkResult } from './leads.bulk.ts'
import { changeLead, createLead, deleteLeads, leadNotFound, lockLead } from './leads.commands.ts'
import { chooseDealStage, convertLead, dealName, findCompanyCandidates, findContactCandidates } from './leads.conversion.ts'
import { findDuplicateGroups, findLikenesses } from './leads.duplicates.ts'
import { alreadyConverted } from './leads.intake.ts'
import { listLeads } from './leads.list.ts'
import { mergeLeads } from './leads.merge.ts'
import type { LeadRow } from './leads.record.ts'
import { findLead } from './leads.repository.ts'

const totals = createTotals()

export const implementedLeads = implement(leads, {
  list: async ({ query, customFieldFilters }, context) => {
    const scope = context.scope('LEAD')
    const needsFields = customFieldFilters.size > 0 || query.sortBy?.startsWith('cf_')
    const customFields = needsFields ? await listCustomFieldKinds(context.db, context.workspace.id, 'LEAD') : []
    if (query.sortBy?.startsWith('cf_') && !customFields.some(({ key }) => `cf_${key}` === query.sortBy)) {
      throw context.refuse('INVALID_QUERY_PARAM', { details: { param: 'sortBy', message: 'There is no such custom field' } })
    }
    const page = await listLeads(context.db, totals, { scope, query, customFieldFilters, customFields })
    return pageOf(page, query)
  },

  get: async ({ params }, context) => success(await requireLead(context, params.id)),

  create: async ({ body }, context) => success(await context.transact((tx) => createLead(tx, context, body))),

  update: async ({ params, body }, context) => {
    const scope = context.scope('LEAD', 'UPDATE')
    return success(await context.transact((tx) => changeLead(tx, context, scope, params.id, body)))
  },

  delete: async ({ params }, context) => {
    const scope = context.scope('LEAD', 'DELETE')
    await context.transact(async (tx) => deleteLeads(tx, context, scope, [await lockLead(tx, scope, params.id)]))
    return success({ id: params.id })
  },

  bulkUpdate: async ({ body }, context) => {
    const scope = context.scope('LEAD', 'UPDATE')
    const { ids, matched, tooMany } = await selectIds(context.db, scope, body)
    if (tooMany && !body.dryRun) {
      const { filter, set, addTags, removeTags } = body
      const jobId = await enqueueJob(context, 'leads.bulk-update', matched, { filter, change: { set, addTags, removeTags } })
      return new StatusReply(202, success({ jobId }))
    }
    const results = await context.transact((tx) => rehearsed(body.dryRun, tx, (inner) => changeLeads(inner, context, scope, ids, body)))
    return success({ ...outcome(matched, results), updated: succeeded(results) })
  },

  bulkDelete: async ({ body }, context) => {
    const scope = context.scope('LEAD', 'DELETE')
    const { ids, matched, tooMany } = await selectIds(context.db, scope, body)
    if (tooMany && !body.dryRun) {
      const jobId = await enqueueJob(context, 'leads.bulk-delete', matched, { filter: body.filter })
      return new StatusReply(202, success({ jobId }))
    }
    const results = await context.transact((tx) => rehearsed(body.dryRun, tx, (inner) => removeLeads(inner, context, scope, ids)))
    return success({ ...outcome(matched, results), deleted: succeeded(results) })
  },

  convert: async ({ params, body }, context) => {
    const scope = context.scope('LEAD', 'UPDATE')
    return success(await context.transact(async (tx) => convertLead(tx, context, await lockLead(tx, scope, params.id), body)))
  },

  conversionOptions: async ({ params }, context) => {
    const lead = await requireLead(context, params.id)
    if (lead.convertedAt) throw alreadyConverted(lead)
    const workspaceId = context.workspace.id
    const contacts = context.scopeIfAllowed('CONTACT') ? await findContactCandidates(context.db, workspaceId, lead) : []
    const companies = context.scopeIfAllowed('COMPANY') ? await findCompanyCandidates(context.db, workspaceId, lead) : []
    const stage = await chooseDealStage(context.db, workspaceId, {})
    const hasPerson = Boolean(lead.firstName || lead.lastName || lead.email || lead.phone)
    return success({
      contact: { mode: modeFor(contacts.length, hasPerson), candidates: contacts },
      company: { mode: modeFor(companies.length, Boolean(lead.companyName)), candidates: companies },
      deal: { mode: 'CREATE' as const, name: dealName(lead), pipelineId: stage.pipelineId, stageId: stage.id },
    })
  },

  duplicates: async ({ query }, context) => {
    const { groups, total } = await findDuplicateGroups(context.db, context.scope('LEAD'), query.by, {
      limit: query.pageSize,
      offset: offsetOf(query),
    })
    const items = groups.map((group) => ({ by: query.by, value: group.value, count: group.leads.length, leads: [...group.leads] }))
    return pageOf({ items, total }, query)
  },

  duplicatesOf: async ({ params }, context) => {
    const lead = await requireLead(context, params.id)
    return { items: await findLikenesses(context.db, context.scope('LEAD'), lead) }
  },

  merge: async ({ params, body }, context) => {
    const scope = context.scope('LEAD', 'UPDATE')
    context.scope('LEAD', 'DELETE')
    return success(await context.transact((tx) => mergeLeads(tx, context, scope, params.id, body.sourceIds, body.prefer ?? {})))
  },
})

async function requireLead(context: CrmContext, id: string): Promise<LeadRow> {
  const scope = context.scope('LEAD')
  const lead = await findLead(context.db, scope, id)
  if (!lead) throw await leadNotFound(context.db, scope, id)
  return lead
}

function modeFor(candidates: number, canCreate: boolean): 'EXISTING' | 'CREATE' | 'NONE' {
  if (candidates > 0) return 'EXISTING'
  return canCreate ? 'CREATE' : 'NONE'
}

function outcome(matched: number, results: readonly BulkResult[]) {
  return { matched, failed: results.filter((result) => result.status === 'ERROR').length, results: [...results] }
}

function succeeded(results: readonly BulkResult[]): number {
  return results.filter((result) => result.status === 'OK').length
}

