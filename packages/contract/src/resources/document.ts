import * as z from 'zod'
import { resource } from '../resource.ts'

export const openapiDocument = resource('openapi', null, {
  get: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Read this document',
    access: 'open',
    reply: { status: 200, body: z.record(z.string(), z.unknown()) },
  },
})
