import type { ApiUnderTest, CallAnswer } from './harness.ts'

/** A file with the fields that are sent beside it. */
export interface Form {
  readonly name?: string
  readonly content?: string | Uint8Array<ArrayBuffer>
  readonly contentType?: string
  readonly metadata?: unknown
}

/** Returns a form encoded for the wire. */
export async function encodeForm(form: FormData): Promise<{ readonly contentType: string; readonly payload: Buffer }> {
  const encoded = new Response(form)
  return { contentType: encoded.headers.get('content-type') ?? '', payload: Buffer.from(await encoded.arrayBuffer()) }
}

/** Returns the form of a file. */
export function formOf({ name = 'note.txt', content = 'hello', contentType = 'text/plain', metadata }: Form): FormData {
  const form = new FormData()
  form.append('file', new Blob([content], { type: contentType }), name)
  if (metadata !== undefined)
    form.append('metadata', typeof metadata === 'string' ? metadata : JSON.stringify(metadata))
  return form
}

/** Posts a form with the headers of somebody. */
async function postForm(
  { app }: Pick<ApiUnderTest, 'app'>,
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
): Promise<CallAnswer> {
  const { contentType, payload } = await encodeForm(form)
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': contentType },
    payload,
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** Posts a form in the session of a person, of the administrator by default. */
export async function postFormInSession(
  api: Pick<ApiUnderTest, 'app'>,
  workspace: ApiUnderTest['workspace'],
  url: string,
  form: FormData,
  cookie?: string,
): Promise<CallAnswer> {
  const session = cookie ?? (await workspace.session())
  return postForm(api, url, form, { host: workspace.host, cookie: session, origin: `http://${workspace.host}` })
}

/** Sends a form to the upload. */
export function sendForm(api: ApiUnderTest, form: FormData, as = api.key): Promise<CallAnswer> {
  return postForm(api, '/api/files/upload', form, { host: api.workspace.host, authorization: `Bearer ${as}` })
}

/** Uploads a file and returns its record. */
export async function uploadFile(api: ApiUnderTest, form: Form = {}, as = api.key): Promise<CallAnswer['body']> {
  const { status, body } = await sendForm(api, formOf(form), as)
  if (status !== 201) throw new Error(`No file was uploaded: ${JSON.stringify(body)}`)
  return body.data
}
