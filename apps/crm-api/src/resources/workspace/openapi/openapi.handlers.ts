import { openapiDocument } from '@crm/contract'
import { publicDocument } from '@crm/openapi'
import { implement } from '../../../platform/context.ts'

let document: ReturnType<typeof publicDocument> | undefined

export const implementedOpenapi = implement(openapiDocument, {
  get: async (_input, { workspace }) => {
    document ??= publicDocument()
    return { ...document, servers: [{ url: workspace.baseUrl }] }
  },
})
