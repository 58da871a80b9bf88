import { openapiDocument } from '@crm/contract'
import { publicDocument } from '@crm/openapi'
import { implement } from '../../platform/context.ts'

let document: Record<string, unknown> | undefined

export const implementedOpenapi = implement(openapiDocument, {
  get: async () => (document ??= publicDocument() as unknown as Record<string, unknown>),
})
