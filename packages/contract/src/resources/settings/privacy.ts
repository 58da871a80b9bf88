import * as z from 'zod'
import { id } from '../../fields.ts'
import { bytes } from '../../handlers.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

export const privacySubjectTypes = ['EMPLOYEE', 'CONTACT', 'LEAD'] as const

const subject = z
  .strictObject({ type: z.enum(privacySubjectTypes), id })
  .meta({ description: 'The person: somebody with an account, a contact or a lead' })

export const privacy = settingsResource('settings.privacy', {
  export: {
    method: 'POST',
    path: '/api/settings/privacy/exports',
    summary: 'Collect the data of a person in a file',
    description:
      'Everybody may do it for themselves. Other people with an account need MANAGE_USERS, contacts and leads EXPORT_DATA and the right to see them. `/api/jobs/{id}` tells the progress.',
    access: 'credential',
    reach: { actsAs: 'subject' },
    fresh: true,
    body: z.strictObject({ subject }),
    reply: data(202, z.object({ jobId: id })),
    errors: ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE'],
  },
  file: {
    method: 'GET',
    path: '/api/settings/privacy/exports/{jobId}/file',
    summary: 'Download such a file of your own',
    description: 'It has what you may see at this moment, even where you could see more when it was written.',
    access: 'credential',
    reach: { actsAs: 'person-data' },
    params: z.object({ jobId: id }),
    reply: bytes('application/json'),
    errors: ['INVALID_TRANSITION', 'ACCESS_DENIED', 'ACCESS_LEVEL_NONE'],
  },
  erase: {
    method: 'POST',
    path: '/api/settings/privacy/erasures',
    summary: 'Erase a person: their record, what refers to it, and their name in texts',
    description: [
      'Cannot be undone; `dryRun` answers the same and changes nothing. People with an account must be terminated before and need MANAGE_USERS, contacts and leads the right to delete them.',
      'In texts that people type, full names, addresses and numbers are replaced that nobody and nothing else in the workspace has: in all texts for callers who may delete every record, else in records that they may see and delete. Keys, choices, settings and other records are never changed.',
      'Issued finance documents stay and are listed, and so are records with the same name or address. Texts of thousands of records follow in the background.',
    ].join('\n\n'),
    access: 'credential',
    reach: { actsAs: 'subject' },
    fresh: true,
    body: z.strictObject({
      subject,
      confirm: z.string().max(320).optional().meta({
        description: 'The email address of the person, or the name of somebody without one; not needed with `dryRun`',
      }),
      dryRun: z.boolean().optional(),
    }),
    reply: data(
      200,
      z.object({
        erased: z.record(z.string(), z.int()).meta({ description: 'The number of changed entries of each kind' }),
        kept: z.array(z.object({ type: z.string(), id: z.string(), reason: z.string() })),
      }),
    ),
    errors: ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE', 'NOT_TERMINATED', 'TOO_MANY_TEXTS'],
  },
})
