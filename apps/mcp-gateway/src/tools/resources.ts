import { publicDocument } from '@crm/openapi'
import { RpcError, rpcErrors } from './protocol.ts'

/** The address of the one resource. */
export const openapiUri = 'crm://openapi'

const mimeType = 'application/json'

/** The result of `resources/list`, as JSON text. */
export const resourceList = JSON.stringify({
  resources: [
    { uri: openapiUri, name: 'openapi', title: 'OpenAPI document', description: 'The public API as an OpenAPI 3.1 document', mimeType },
  ],
})

/**
 * The result of `resources/read`, as JSON text.
 *
 * @throws {RpcError} for any other resource
 */
export function readResource(uri: string, baseUrl: string): string {
  if (uri !== openapiUri) throw new RpcError(rpcErrors.unknownResource, `There is no resource ${uri}`, { uri })
  return JSON.stringify({ contents: [{ uri, mimeType, text: documentText(baseUrl) }] })
}

const openapi = publicDocument()

function documentText(baseUrl: string): string {
  return JSON.stringify({ ...openapi, servers: [{ url: baseUrl }] })
}
