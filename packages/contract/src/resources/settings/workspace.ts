import { modules as moduleKeys } from '@crm/permissions'
import * as z from 'zod'
import { weekStarts } from '../../days.ts'
import { currencyCode, id, instant, pictureAddress, requiredText, text, timeZone } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'
import { timeFormats } from '../me.ts'

const mayManage = { all: ['MANAGE_WORKSPACE'] } as const

const brand = z.strictObject({
  companyName: text(200).optional(),
  logo: pictureAddress.optional(),
  primaryColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .nullable()
    .optional(),
})

const locale = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Expected a language code such as en or de-AT')

const workspaceRecord = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  locale: z.string(),
  timeFormat: z.enum(timeFormats),
  timezone: z.string(),
  weekStart: z.enum(weekStarts),
  currency: z.string(),
  mergeExactDuplicates: z.boolean(),
  brand: z.object({
    companyName: z.string().nullable(),
    logo: z.string().nullable(),
    primaryColor: z.string().nullable(),
  }),
  createdAt: instant,
  updatedAt: instant,
})

export const workspace = settingsResource('settings.workspace', {
  get: {
    method: 'GET',
    path: '/api/settings/workspace',
    summary: 'Read the workspace',
    access: mayManage,
    reach: 'none',
    reply: data(200, workspaceRecord),
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/workspace',
    summary: 'Change the workspace',
    access: mayManage,
    reach: 'none',
    body: z.strictObject({
      name: requiredText(200).optional(),
      locale: locale.optional(),
      timeFormat: z.enum(timeFormats).optional(),
      timezone: timeZone.optional(),
      weekStart: z.enum(weekStarts).optional(),
      currency: currencyCode.optional(),
      mergeExactDuplicates: z.boolean().optional(),
      brand: brand.optional(),
    }),
    reply: data(200, workspaceRecord),
    errors: ['INVALID_CURRENCY'],
  },
})

const moduleRecord = z.object({
  key: z.enum(moduleKeys),
  enabled: z.boolean(),
  reason: z.enum(['plan', 'self']).nullable(),
})

export const workspaceModules = settingsResource('settings.modules', {
  list: {
    method: 'GET',
    path: '/api/settings/modules',
    summary: 'List the modules',
    access: mayManage,
    reach: 'none',
    reply: { status: 200, body: z.object({ data: z.array(moduleRecord) }) },
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/modules/{key}',
    summary: 'Switch a module on or off',
    description: 'A module that the plan leaves out cannot be switched on here.',
    access: mayManage,
    reach: 'none',
    params: z.object({ key: z.enum(moduleKeys) }),
    body: z.strictObject({ enabled: z.boolean() }),
    reply: data(200, moduleRecord),
    errors: ['MODULE_DISABLED'],
  },
})

export const usage = settingsResource('settings.usage', {
  get: {
    method: 'GET',
    path: '/api/settings/usage',
    summary: 'Read what each plan limit counts',
    description: 'Records are counted one by one, storage in bytes: files that are not deleted, and exports.',
    access: mayManage,
    reach: 'none',
    reply: {
      status: 200,
      body: z.object({ data: z.array(z.object({ quota: z.string(), used: z.int(), limit: z.int().nullable() })) }),
    },
  },
})
