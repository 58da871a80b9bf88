import { CrmApiUnreachable, type ApiAnswer, type CallerHead, type CrmApi } from './crm-api.ts'
import { handshakeVersion, RpcError, rpcErrors, statelessVersion, type Revision } from './protocol.ts'
import { outOfService, passedOn, readRefusal } from './refusal.ts'

/** The address of the only resource. */
const openapiUri = 'crm://openapi'

const mimeType = 'application/json'

/** The result of `resources/list`, as JSON text. */
export const resourceList = JSON.stringify({
  resources: [
    {
      uri: openapiUri,
      name: 'openapi',
      title: 'OpenAPI document',
      description: 'The public API as an OpenAPI 3.1 document',
      mimeType,
    },
  ],
})

interface ResourceDeps {
  readonly crmApi: CrmApi
  readonly head: CallerHead
  readonly baseUrl: string
  readonly revision: Revision
}

const unknownResource: Readonly<Record<Revision, number>> = {
  [handshakeVersion]: rpcErrors.unknownResource,
  [statelessVersion]: rpcErrors.invalidParams,
}

/**
 * Returns the result of `resources/read`, as JSON text. The document comes from the API, so that it describes that very
 * API.
 *
 * @throws {RpcError} for any other resource, and HttpRefusal when the API cannot answer
 */
export async function readResource(uri: string, { crmApi, head, baseUrl, revision }: ResourceDeps): Promise<string> {
  if (uri !== openapiUri) throw new RpcError(unknownResource[revision], `There is no resource ${uri}`, { uri })
  // The document is public; a request without a credential uses up nobody's limit.
  const answer = await readDocument(crmApi, { ...head, authorization: undefined })
  if (answer.status !== 200) throw passedOn(answer, readRefusal(answer))
  const document = JSON.parse(
    Buffer.concat([answer.body, ...(((await answer.rest?.toArray()) as Buffer[] | undefined) ?? [])]).toString(),
  ) as object
  return JSON.stringify({
    contents: [{ uri, mimeType, text: JSON.stringify({ ...document, servers: [{ url: baseUrl }] }) }],
  })
}

async function readDocument(crmApi: CrmApi, head: CallerHead): Promise<ApiAnswer> {
  try {
    return await crmApi.send(head, { method: 'GET', path: '/api/openapi.json' })
  } catch (error) {
    if (!(error instanceof CrmApiUnreachable)) throw error
    throw outOfService()
  }
}
