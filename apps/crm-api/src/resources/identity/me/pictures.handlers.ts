import { BytesReply, pictureBytesMax, picturePixelsMax, pictures, success } from '@crm/contract'
import { openPicture, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { deletePicture, writePicture } from '../../../domain/people/people.pictures.ts'
import { readPictureKind, type PictureKind } from '../../../domain/people/picture-kind.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { requireStorage } from '../../../records/quotas.ts'
import { readMe } from './me.handlers.ts'

export const implementedPictures = implement(pictures, {
  set: async ({ upload }, context) => {
    const { kept: bytes } = await upload.receive(({ content }) => collect(content))
    const { mediaType } = requirePicture(bytes)
    const owner = ownerOf(context)
    await context.transact(async (tx) => {
      // The space of the picture before is free for the new one.
      await deletePicture(tx, owner)
      await requireStorage(tx, context.workspace, bytes.length)
      await writePicture(tx, owner, { mediaType, bytes, at: context.at })
      await auditPicture(tx, context, 'picture.changed', 'chose a picture')
    })
    return success(await readMe(context))
  },

  remove: async (_input, context) => {
    const owner = ownerOf(context)
    await context.transact(async (tx) => {
      if (await deletePicture(tx, owner)) await auditPicture(tx, context, 'picture.removed', 'removed their picture')
    })
    return success(await readMe(context))
  },

  read: async ({ params: { id, version } }, { workspace, reads, refuse }) => {
    const picture = await openPicture(reads, { workspaceId: workspace.id, employeeId: id, version })
    if (!picture) throw refuse('NOT_FOUND', { message: 'There is no such picture' })
    return new BytesReply(
      200,
      {
        'content-type': picture.mediaType,
        'content-length': String(picture.size),
        'cache-control': 'private, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      },
      picture.content,
    )
  },
})

function ownerOf({ workspace, caller }: CrmContext) {
  return { workspaceId: workspace.id, employeeId: caller.employee.id }
}

function auditPicture(
  tx: Transaction,
  context: CrmContext,
  action: 'picture.changed' | 'picture.removed',
  deed: string,
): Promise<void> {
  const { id: subjectId, name } = context.caller.employee
  return audit(tx, context, { action, subjectType: 'EMPLOYEE', subjectId, summary: `${name} ${deed}` })
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > pictureBytesMax)
      throw new ApiError('PAYLOAD_TOO_LARGE', { message: `A picture has at most ${pictureBytesMax / 1024} KiB` })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function requirePicture(bytes: Buffer): PictureKind {
  const kind = readPictureKind(bytes)
  if (!kind) throw invalidField('file', 'Expected a PNG, JPEG or WebP picture')
  if (kind.width > picturePixelsMax || kind.height > picturePixelsMax)
    throw invalidField('file', `Expected at most ${picturePixelsMax} pixels in each direction`)
  return kind
}
