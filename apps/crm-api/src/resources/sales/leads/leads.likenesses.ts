import { companyNameKey, isPlaceholder } from '../../../records/placeholders.ts'
import { lead, namesWith } from '@crm/model'
import { addressKey, schema } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { emailKey } from '../../../records/contact-points.ts'
import {
  personName,
  personNameKey,
  personNameText,
  personSigns,
  sameCompany,
  sameText,
  type Likenesses,
  type TypedSigns,
} from '../../../records/owned/duplicates.ts'
import type { MergeRules } from '../../../records/owned/merge.ts'
import { alreadyConverted, notTakenByMerge } from './leads.intake.ts'
import { referringColumns } from '../../../kinds/referring-columns.ts'
import { leadKind, type LeadRow } from '../../../kinds/leads.ts'

const { leads } = schema

type LeadSigns = Pick<LeadRow, 'email' | 'phone' | 'firstName' | 'lastName' | 'companyName'>

const emailOf = addressKey(leads.email)
const nameOf = personNameKey(leads)
const companyText = { text: sql`${leads.companyName}`, keyOf: companyNameKey }
const companyOf = companyNameKey(leads.companyName)

/** The ways in which two leads can look alike. */
const leadLikenesses: Likenesses<LeadSigns, 'email' | 'phone' | 'name' | 'company'> = {
  email: {
    key: emailOf,
    valueOf: ({ email }) => email && emailKey(email),
    has: (email) => eq(emailOf, email),
    weight: 60,
  },
  phone: {
    key: sql`${leads.phone}`,
    valueOf: ({ phone }) => phone,
    has: (phone) => eq(leads.phone, phone),
    weight: 50,
  },
  name: {
    key: nameOf,
    from: personNameText(leads),
    valueOf: personName,
    has: (name) => sameText(nameOf, name, leads.searchText),
    weight: 30,
  },
  company: {
    key: companyOf,
    from: companyText,
    valueOf: ({ companyName }) => (companyName === null || isPlaceholder(companyName) ? null : companyName),
    has: (name) => sameCompany(companyOf, name, leads.searchText),
    weight: 15,
  },
}

const leadMerge: MergeRules<LeadRow> = {
  kind: leadKind,
  preferable: namesWith(lead.fields, 'preferred'),
  notTaken: notTakenByMerge,
  refuse: (source) => {
    if (source.convertedAt) throw alreadyConverted(source)
  },
  children: referringColumns(lead.entity),
}

/** The rules by which leads look alike and are merged. */
export const leadDuplicates = {
  merge: leadMerge,
  likenesses: leadLikenesses,
  signsOf: ({ companyName = null, ...person }: TypedSigns<LeadSigns>): LeadSigns => ({
    ...personSigns(person),
    companyName,
  }),
}
