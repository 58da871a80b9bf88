import * as z from 'zod'
import { recordParams } from '../../fields.ts'
import { data } from '../../standard.ts'
import { settingsResource } from '../../resource.ts'

/** The most records that one person follows. */
export const followsMax = 1_000

const reply = data(200, z.object({ following: z.boolean() }))
const usual = {
  path: '/api/me/follows/{entityType}/{id}',
  access: 'credential',
  reach: 'none',
  params: recordParams,
  reply,
} as const

/** The records that a person follows (docs/guide/records.md). */
export const follows = settingsResource('follows', {
  get: { ...usual, method: 'GET', summary: 'Tell whether you follow a record', errors: ['NOT_FOUND'] },
  follow: {
    ...usual,
    method: 'PUT',
    summary: 'Follow a record: your inbox then tells what others change on it',
    description: `One unread notification for each record, whatever happens meanwhile. A person follows at most ${followsMax} records.`,
    errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  unfollow: { ...usual, method: 'DELETE', summary: 'Follow a record no longer', errors: ['NOT_FOUND'] },
})
