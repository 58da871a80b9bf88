import { accessLevels, entityActions, leveledActions } from '@crm/permissions'
import * as z from 'zod'
import { commaParts, textForms } from '@crm/model/values'
import { weekStarts } from '../days.ts'
import { id, instant, pictureUrl, requiredText, shownAmount, timeZone, unsignedDecimal } from '../fields.ts'
import { localPath } from '../local-path.ts'
import { resource, settingsResource } from '../resource.ts'
import { data } from '../standard.ts'

export const credentialClasses = ['session', 'api-key', 'oauth-token'] as const

const scopeDescription = z.object({ name: z.string(), group: z.string(), description: z.string(), write: z.boolean() })

/** The languages of the console and of mails about accounts. */
export const languages = ['en', 'de', 'fr', 'es', 'ru'] as const
export type Language = (typeof languages)[number]
export const timeFormats = ['12h', '24h'] as const
export type TimeFormat = (typeof timeFormats)[number]
export const themes = ['light', 'dark'] as const
export const densities = ['compact', 'comfortable'] as const

const consolePath = z
  .string()
  .max(300)
  .regex(/^\/[\x21-\x7e]*$/, 'Expected a path of the console, such as /deals')
  .refine((path) => path === '/' || localPath(path, 'http://console.invalid') !== '/', 'Expected a path of the console')

/** The choices of a person; null for a choice that is left to the workspace, the device or the default. */
const preferences = {
  locale: z.enum(languages).nullable(),
  timezone: timeZone.nullable(),
  timeFormat: z.enum(timeFormats).nullable(),
  theme: z.enum(themes).nullable(),
  density: z.enum(densities).nullable(),
  startPage: consolePath.nullable().meta({ description: 'The path of the page of the console that opens first' }),
  pinned: z
    .array(consolePath)
    .max(20)
    .nullable()
    .meta({ description: 'The paths of pages and views that the navigation of the console always shows, in order' }),
  unfolded: z
    .array(requiredText(40))
    .max(20)
    .nullable()
    .meta({ description: 'The groups that are unfolded in the navigation of the console' }),
  monthlyGoal: unsignedDecimal
    .nullable()
    .meta({ description: 'The amount to win each month, in the currency of the workspace' }),
}

/** The account of the person behind the credential. */
export const ownAccount = z.object({
  id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  name: z.string(),
  status: z.string(),
  roleIds: z.array(id),
  departmentId: id.nullable(),
  managerId: id.nullable(),
  pictureUrl,
  ...preferences,
  timezone: z.string().nullable(),
  startPage: z.string().nullable(),
  pinned: z.array(z.string()).nullable(),
  unfolded: z.array(z.string()).nullable(),
  monthlyGoal: shownAmount,
  createdAt: instant,
  workspace: z.object({
    id,
    name: z.string(),
    locale: z.string(),
    timezone: z.string(),
    timeFormat: z.enum(timeFormats),
    weekStart: z.enum(weekStarts),
    currency: z.string(),
  }),
})

/** The sections of a workspace's description, besides the time and the person. */
export const workspaceSections = ['kinds', 'customEntities', 'savedFilters', 'colleagues'] as const
export type WorkspaceSection = (typeof workspaceSections)[number]

/** The most entries of a section that may have many. */
export const describedMax = 50

const namedOne = z.object({ id, name: z.string() })

const summarized = {
  dimensions: z.array(z.string()).optional().meta({ description: 'What its summary groups by, besides what all do' }),
  measures: z
    .array(z.string())
    .optional()
    .meta({ description: 'The numbers and amounts that its summary computes with' }),
}

const kindDescription = z.object({
  rights: z.array(z.enum(entityActions)),
  level: z
    .union([z.enum(accessLevels), z.partialRecord(z.enum(leveledActions), z.enum(accessLevels))])
    .meta({ description: 'How far the rights reach, or each of them where they differ; creating reaches nowhere' }),
  pipelines: z
    .array(z.object({ ...namedOne.shape, stages: z.array(namedOne) }))
    .optional()
    .meta({ description: 'Those in use, with their stages in order' }),
  statuses: z
    .union([z.array(z.string()), z.record(z.string(), z.record(z.string(), z.string().nullable()))])
    .optional()
    .meta({
      description:
        'Those that may follow each other freely, or for each status what can be done with such a record and the status that follows; null: it depends',
    }),
  customFields: z
    .array(z.object({ key: z.string(), label: z.string(), type: z.string(), options: z.array(z.string()).optional() }))
    .optional(),
  ...summarized,
})

const workspaceDescription = z.object({
  now: instant,
  today: z.string(),
  zone: z.string(),
  weekStart: z.enum(weekStarts),
  currency: z.string(),
  me: z.object({ id, name: z.string(), email: z.string() }),
  everySummary: z
    .object({ dimensions: z.array(z.string()), measures: z.array(z.string()) })
    .optional()
    .meta({ description: 'What the summaries of all kinds can be asked' }),
  kinds: z.record(z.string(), kindDescription).optional(),
  customEntities: z.array(z.object({ key: z.string(), singular: z.string(), plural: z.string() })).optional(),
  savedFilters: z.array(z.object({ ...namedOne.shape, entityType: z.string() })).optional(),
  colleagues: z.array(namedOne).optional(),
})
export type WorkspaceDescription = z.output<typeof workspaceDescription>

const sections = z
  .string()
  .max(200)
  .transform(commaParts)
  .pipe(z.array(z.enum(workspaceSections)))
  .register(textForms, { form: 'words', values: workspaceSections })
  .meta({ description: workspaceSections.join(', ') })

export const me = resource('me', null, {
  get: {
    method: 'GET',
    path: '/api/me',
    summary: 'Read the person behind the credential, and their workspace',
    access: 'credential',
    reply: { status: 200, body: ownAccount },
  },
  scopes: {
    method: 'GET',
    path: '/api/me/scopes',
    summary: 'Describe the calling credential and what it may do',
    access: 'credential',
    reply: {
      status: 200,
      body: z.object({
        class: z.enum(credentialClasses),
        credential: z.object({
          id,
          name: z.string(),
          prefix: z.string().optional(),
          createdAt: instant,
          expiresAt: instant.nullable(),
          lastUsedAt: instant.nullable(),
        }),
        owner: z.object({ id, name: z.string(), email: z.string(), status: z.string(), roleIds: z.array(id) }),
        restricted: z.boolean(),
        requested: z.array(z.string()).nullable(),
        owned: z.array(z.string()),
        effective: z.array(z.string()),
        missing: z.array(z.object({ scope: z.string(), reason: z.enum(['OWNER_LACKS', 'MODULE_DISABLED']) })),
        allScopes: z.array(scopeDescription),
        levels: z
          .record(
            z.string(),
            z.object({ VIEW: z.enum(accessLevels), UPDATE: z.enum(accessLevels), DELETE: z.enum(accessLevels) }),
          )
          .meta({
            description: 'How far the rights reach, for each kind of record where they do not reach everything',
          }),
        administrators: z.array(namedOne).meta({ description: 'Whom to ask for more rights: the first three' }),
      }),
    },
  },
  workspace: {
    method: 'GET',
    path: '/api/me/workspace',
    summary: 'Describe the workspace as you see it',
    description:
      'The time, you, the kinds of record with rights, stages, statuses and what summaries can be asked, saved filters, colleagues.',
    access: 'credential',
    query: z.object({ sections: sections.optional() }),
    reply: { status: 200, body: workspaceDescription },
  },
})

/** Only a session changes the choices of its person: an API key or a service account has no person who looks at pages. */
export const preferencesOfMe = settingsResource('settings.me', {
  update: {
    method: 'PATCH',
    path: '/api/me',
    summary: 'Change your own choices: language, time zone, look, start page, pinned pages and goal',
    description: 'null leaves a choice to the workspace, the device or the default.',
    access: 'credential',
    reach: 'none',
    body: z.strictObject(preferences).partial(),
    reply: data(200, ownAccount),
  },
})
