import { preferableFields } from '@crm/contract'
import { schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { Likenesses } from '../../records/owned/duplicates.ts'
import type { MergeRules } from '../../records/owned/merge.ts'
import { alreadyConverted, notTakenByMerge } from './leads.intake.ts'
import { leadKind, type LeadRow } from '../../kinds/leads.ts'

const { bookings, deals, leads } = schema

/** The ways in which two leads can look alike. */
export const leadLikenesses: Likenesses<LeadRow, 'email' | 'phone' | 'name' | 'company'> = {
  email: { key: sql`lower(${leads.email})`, valueOf: ({ email }) => email?.trim().toLowerCase() ?? null, weight: 60 },
  phone: { key: sql`${leads.phone}`, valueOf: ({ phone }) => phone, weight: 50 },
  name: {
    key: sql`nullif(crm_fold(trim(coalesce(${leads.firstName}, '') || ' ' || coalesce(${leads.lastName}, ''))), '')`,
    valueOf: ({ firstName, lastName }) => `${firstName ?? ''} ${lastName ?? ''}`.trim() || null,
    weight: 30,
  },
  company: { key: sql`crm_fold(${leads.companyName})`, valueOf: ({ companyName }) => companyName, weight: 15 },
}

export const leadMerge: MergeRules<LeadRow> = {
  kind: leadKind,
  preferable: preferableFields.LEAD,
  notTaken: notTakenByMerge,
  refuse: (source) => {
    if (source.convertedAt) throw alreadyConverted(source)
  },
  children: [
    { table: deals, column: deals.leadId },
    { table: bookings, column: bookings.leadId },
  ],
}
