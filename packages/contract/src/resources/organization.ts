import * as z from 'zod'
import { address, email, id, instant, phone, pictureAddress, requiredText, text } from '../fields.ts'
import { resource } from '../resource.ts'
import { data } from '../standard.ts'

const organizationRecord = z.object({
  id,
  name: z.string(),
  legalName: z.string().nullable(),
  taxId: z.string().nullable(),
  registrationNumber: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  address: address.nullable(),
  bankDetails: z.string().nullable(),
  logo: z.string().nullable(),
  primaryColor: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
})

const organizationPatch = z.strictObject({
  name: requiredText(200).optional(),
  legalName: text(200).optional(),
  taxId: text(100).optional(),
  registrationNumber: text(100).optional(),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  website: text(500).optional(),
  address: address.nullable().optional(),
  bankDetails: text(1000).optional(),
  logo: pictureAddress.optional(),
  primaryColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #1f6feb')
    .nullable()
    .optional(),
})
export type OrganizationPatch = z.output<typeof organizationPatch>

export const organization = resource({ name: 'organization', entity: 'ORGANIZATION' }, null, {
  get: {
    method: 'GET',
    path: '/api/organization',
    summary: 'Read the company behind the workspace, as its documents name it',
    access: { any: ['VIEW_REFERENCE_DATA', 'MANAGE_WORKSPACE'] },
    reply: data(200, organizationRecord),
  },
  update: {
    method: 'PATCH',
    path: '/api/organization',
    summary: 'Change the company behind the workspace',
    access: { all: ['MANAGE_WORKSPACE'] },
    body: organizationPatch,
    reply: data(200, organizationRecord),
  },
})
