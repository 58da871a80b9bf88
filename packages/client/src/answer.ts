import type { Reply } from '@crm/contract'
import { ClientError } from './client-error.ts'

/** The content of an answer, or the error that it stands for. */
export interface ReadAnswer {
  readonly error: ClientError | null
  readonly body?: unknown
}

/** Statuses whose answers have no body. */
const withoutBody: readonly number[] = [204, 205]

/** Reads an answer as its operation declares it; a success in any other form comes from something between here and the service. */
export async function readAnswer(response: Response, { mediaType }: Pick<Reply, 'mediaType'>): Promise<ReadAnswer> {
  const { status, ok } = response
  if (!ok) return refused(status, await response.text())
  if (withoutBody.includes(status)) return { error: null }
  if (mediaType === undefined) {
    const text = await response.text()
    const json = parsed(text)
    return json ? { error: null, body: json.value } : refused(status, text)
  }
  if (!isOf(mediaType, response.headers.get('content-type'))) return refused(status, await response.text())
  return {
    error: null,
    body: mediaType === 'text/event-stream' ? response.body : new Uint8Array(await response.arrayBuffer()),
  }
}

function refused(status: number, text: string): ReadAnswer {
  const json = parsed(text)
  return { error: new ClientError(status, json ? json.value : text) }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Whether a content type is the declared media type, which may end in a wildcard such as `image/*`. */
function isOf(mediaType: string, contentType: string | null): boolean {
  const sent = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const [type, subtype] = mediaType.split('/')
  return type === '*' || sent === mediaType || (subtype === '*' && sent.startsWith(`${type}/`))
}
