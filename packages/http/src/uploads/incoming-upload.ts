import { composed } from '../composed.ts'
import type { IncomingFile, IncomingUpload, Operation, Upload } from '@crm/contract'
import { ApiError, InvalidJsonError, invalidField } from '@crm/errors'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import { toIssues } from '../issues.ts'
import { parseJson } from '../parse-json.ts'
import { hasNul, unstorable } from '../storable.ts'
import { besidesBytesMax, formFieldBytesMax, usualFileBytesMax } from './accept-uploads.ts'
import { Base64Error, decodeBase64, findText } from './base64.ts'

type Keep<T> = (file: IncomingFile, at: number) => Promise<T>

/** Returns the upload of a request in either form: as a form, or as JSON where the operation accepts it. */
export function incomingUpload(
  { request, declared }: Exchange,
  upload: Upload,
  fileBytesMax = usualFileBytesMax,
): IncomingUpload<unknown> {
  const receiveAll = async <T>(keep: Keep<T>) => {
    if (request.isMultipart()) return receiveForm(request, upload, filesOf(upload, fileBytesMax), keep)
    const { body } = declared.operation
    if (!body) throw invalidField(filesOf(upload, fileBytesMax).field, 'Expected multipart/form-data with a file')
    return receiveJson(request.body as Buffer | undefined, body, fileBytesMax, keep)
  }
  return {
    receiveAll,
    receive: async (keep) => {
      const { kept, fields } = await receiveAll(keep)
      return { kept: kept[0] as Awaited<ReturnType<typeof keep>>, fields }
    },
  }
}

/** Returns where the files of a form stand, how many it may have, and how large each may be. */
function filesOf({ files }: Upload, bytesMax: number): NonNullable<Upload['files']> {
  return files ?? { field: 'file', max: 1, bytesMax }
}

async function receiveForm<T>(
  request: FastifyRequest,
  { field, fields }: Upload,
  files: NonNullable<Upload['files']>,
  keep: Keep<T>,
) {
  if (Number(request.headers['content-length']) > files.max * files.bytesMax + besidesBytesMax)
    throw new ApiError('PAYLOAD_TOO_LARGE')
  const kept: T[] = []
  let beside: unknown
  try {
    for await (const part of readableParts(request)) {
      if (part.type === 'file' && part.fieldname === files.field) {
        if (kept.length === files.max)
          throw invalidField(files.field, files.max === 1 ? 'One file at a time' : `${files.max} files at most`)
        refuseUnstorableName(part.filename, files.field)
        const file = {
          name: composed(part.filename ?? ''),
          contentType: part.mimetype,
          content: readable(within(part.file, files.bytesMax)),
        }
        kept.push(await keep(file, kept.length))
      } else if (part.fieldname === field && beside === undefined) {
        beside = parsedField(field, await textOf(part, field))
      } else {
        throw invalidField(
          part.fieldname,
          part.fieldname === files.field ? 'Expected a file with a name' : 'Unknown field',
        )
      }
    }
  } finally {
    // Unread bytes would keep the connection from its next request.
    request.raw.unpipe()
    request.raw.resume()
  }
  if (kept.length === 0) throw invalidField(files.field, 'Expected a file')
  return { kept, fields: checked(fields, beside ?? {}, [field]) }
}

/** Refuses the name of a file that the database cannot store. */
function refuseUnstorableName(name: string | undefined, field: string): void {
  if (hasNul(name)) throw invalidField(field, 'The name of the file has NUL characters, which cannot be stored')
}

/** Returns the text of a field; some clients send the JSON as a part with a file name. */
async function textOf(part: MultipartFile | MultipartValue, field: string): Promise<unknown> {
  const isFile = part.type === 'file'
  if (!isFile && part.valueTruncated) throw invalidField(field, 'Too long')
  if (!isFile) return part.value
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of readable<Uint8Array>(part.file)) {
    pieces.push(piece)
    size += piece.length
    if (size > formFieldBytesMax) throw invalidField(field, 'Too long')
  }
  const bytes = Buffer.concat(pieces)
  if (!isUtf8(bytes)) throw invalidField(field, 'Expected JSON in UTF-8')
  return bytes.toString()
}

/** Turns a broken form into a refusal instead of a fault; errors of the handler pass unchanged. */
async function* readable<T>(parts: AsyncIterable<T>): AsyncIterable<T> {
  const reading = parts[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await reading.next().catch((error: unknown) => {
        throw error instanceof ApiError ? error : invalidField('file', 'The form cannot be read to its end')
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await reading.return?.()
  }
}

function readableParts(request: FastifyRequest) {
  return readable(request.parts())
}

function parsedField(field: string, value: unknown): unknown {
  // A field with the content type JSON is parsed before this point.
  if (typeof value !== 'string') return parseJson(JSON.stringify(value))
  if (value.trim() === '') return {}
  try {
    return parseJson(value)
  } catch {
    throw invalidField(field, 'Expected JSON')
  }
}

async function* within(content: AsyncIterable<Uint8Array>, bytesMax: number): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > bytesMax) throw new ApiError('PAYLOAD_TOO_LARGE')
    yield piece
  }
}

const fileMembers = z.looseObject({ filename: z.string(), contentType: z.string(), contentBase64: z.string() })

async function receiveJson<T>(
  body: Buffer | undefined,
  schema: NonNullable<Operation['body']>,
  fileBytesMax: number,
  keep: Keep<T>,
) {
  const { json, content } = detach(body ?? Buffer.from('{}'))
  if (isObject(json) && 'file' in json) throw invalidField('file', inOtherForm)
  const { filename, contentType, contentBase64, ...fields } = fileMembers.parse(checked(schema, json, []))
  if (content && contentBase64 !== '') throw invalidField('contentBase64', 'Given twice')
  const text = content ?? Buffer.from(contentBase64, 'latin1')
  const kept = [await keep({ name: filename, contentType, content: within(decoded(text), fileBytesMax) }, 0)]
  return { kept, fields }
}

const inOtherForm =
  'A file in the field file is sent as multipart/form-data; JSON has it as filename, contentType and contentBase64'

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns the document with an empty text in place of the file, and the file's text as received. */
function detach(body: Buffer): { readonly json: unknown; readonly content: Buffer | undefined } {
  const place = findText(body, 'contentBase64')
  const rest = place ? Buffer.concat([body.subarray(0, place.start), body.subarray(place.end)]) : body
  if (rest.length > besidesBytesMax) throw new ApiError('PAYLOAD_TOO_LARGE')
  return { json: parsedJson(rest), content: place && body.subarray(place.start, place.end) }
}

function parsedJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new InvalidJsonError()
  try {
    return parseJson(bytes.toString())
  } catch {
    throw new InvalidJsonError()
  }
}

async function* decoded(text: Buffer): AsyncIterable<Uint8Array> {
  try {
    yield* decodeBase64(text)
  } catch (error) {
    throw error instanceof Base64Error ? invalidField('contentBase64', 'Expected base64') : error
  }
}

function checked(schema: z.ZodType, value: unknown, path: readonly string[]): unknown {
  const issue = unstorable(value)
  if (issue) throw new ApiError('VALIDATION_ERROR', { issues: [{ ...issue, path: [...path, ...issue.path] }] })
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ApiError('VALIDATION_ERROR', {
    issues: toIssues(result.error).map((one) => ({ ...one, path: [...path, ...one.path] })),
  })
}
