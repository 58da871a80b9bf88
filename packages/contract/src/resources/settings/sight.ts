import * as z from 'zod'
import { id, recordParams } from '../../fields.ts'
import { idsParam } from '../../lists.ts'
import { data } from '../../standard.ts'
import { settingsResource } from '../../resource.ts'

/** The most people about whom one request asks. */
export const sightMax = 20

/** Who of the workspace sees a record (docs/guide/records.md). */
export const sight = settingsResource('sight', {
  get: {
    method: 'GET',
    path: '/api/me/sight/{entityType}/{id}',
    access: 'credential',
    reach: 'none',
    summary: 'Tell which people do not see a record',
    description:
      'Whoever does not see a record is not told of a mention there. People who are not active, or not of the workspace, do not see it.',
    params: recordParams,
    query: z.object({ employeeIds: idsParam(sightMax).optional() }),
    reply: data(200, z.object({ hiddenFrom: z.array(id) })),
    errors: ['NOT_FOUND'],
  },
  ofKind: {
    method: 'GET',
    path: '/api/me/sight/{entityType}',
    access: 'credential',
    reach: 'none',
    summary: 'Tell which people may see no record of a kind',
    description:
      'Not even one that belongs to them: ask before you give somebody a record. `outOfSight` names the people whose records the caller does not see.',
    params: recordParams.pick({ entityType: true }),
    query: z.object({ employeeIds: idsParam(sightMax).optional() }),
    reply: data(200, z.object({ hiddenFrom: z.array(id), outOfSight: z.array(id) })),
    errors: ['NOT_FOUND', 'ACCESS_DENIED'],
  },
})
