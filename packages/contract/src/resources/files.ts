import { lead } from '@crm/model'
import * as z from 'zod'
import { byId, id, recordFields, requiredText } from '../fields.ts'
import { pagedList, rangeParam, usualPages } from '../lists.ts'
import { bytes } from '../handlers.ts'
import { resource } from '../resource.ts'
import { data, removed, standard } from '../standard.ts'

/** The short forms of a link, by entity type. */
export const fileLinkFields = {
  leadId: lead.entity,
  dealId: 'DEAL',
  contactId: 'CONTACT',
  companyId: 'COMPANY',
  taskId: 'TASK',
  projectId: 'PROJECT',
  productId: 'PRODUCT',
} as const
export type FileLinkField = keyof typeof fileLinkFields

/** An entity type as in permissions, custom entities included. */
const entityType = z
  .string()
  .max(60)
  .regex(/^[A-Z][A-Z0-9_]*$/, 'Expected an entity type such as LEAD')

const link = z.strictObject({ entityType, entityId: id })
const links = z.array(link).max(50)

const shortLinks = {
  leadId: id.optional(),
  dealId: id.optional(),
  contactId: id.optional(),
  companyId: id.optional(),
  taskId: id.optional(),
  projectId: id.optional(),
  productId: id.optional(),
}

const file = z.object({
  ...recordFields,
  name: z.string(),
  contentType: z.string().meta({ description: 'What the bytes are, whatever the uploader called them' }),
  size: z.int().meta({ description: 'Bytes' }),
  sha256: z.string().meta({ description: 'Hexadecimal' }),
  links: z
    .array(z.object({ entityType: z.string(), entityId: id }))
    .meta({ description: 'Those of them that you may see' }),
  uploadedById: id,
})
export type FileRecord = z.output<typeof file>

const metadata = z.strictObject({ name: requiredText(255).optional(), links: links.default([]), ...shortLinks })
export type FileMetadata = z.output<typeof metadata>

const base64Upload = z.strictObject({
  filename: z.string().max(1000),
  contentType: z.string().max(255).default('application/octet-stream'),
  contentBase64: z.string().meta({ contentEncoding: 'base64' }),
  ...metadata.shape,
})

const filePatch = z.strictObject({ name: requiredText(255).optional(), links: links.optional() })
export type FilePatch = z.output<typeof filePatch>

const mayView = { any: ['VIEW_FILE', 'VIEW_DOCUMENT'] } as const

const filters = {
  search: z.string().max(200).optional().meta({ description: 'Words of the name' }),
  entityType: entityType.optional().meta({ description: 'With entityId: the files of one record' }),
  entityId: id.optional(),
  ...shortLinks,
  uploadedById: id.optional(),
  createdFrom: rangeParam('from').optional(),
  createdTo: rangeParam('to').optional(),
  sortBy: z.enum(['createdAt', 'updatedAt', 'name', 'size']).optional(),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
}

const { create: _upload, ...usual } = standard({
  path: '/api/files',
  noun: 'file',
  plural: 'files that are yours or belong to a record you may see',
  record: file,
  create: metadata,
  update: filePatch,
  list: { ...pagedList(file, usualPages, filters), queryPolicy: 'strict' },
  access: {
    view: mayView,
    create: { all: ['CREATE_FILE'] },
    update: { all: ['UPDATE_FILE'] },
    delete: { all: ['DELETE_FILE'] },
  },
})

export const files = resource({ name: 'files', entity: 'FILE' }, 'FILES', {
  ...usual,
  upload: {
    method: 'POST',
    path: '/api/files/upload',
    summary: 'Upload a file',
    description:
      'Sent as a form (file, and metadata as JSON) or as JSON with base64. Give the records it belongs to as links or in short form.',
    access: { all: ['CREATE_FILE'] },
    body: base64Upload,
    upload: { field: 'metadata', fields: metadata },
    reply: data(201, file),
    errors: ['STORAGE_QUOTA_EXCEEDED'],
    preview: false,
  },
  content: {
    method: 'GET',
    path: '/api/files/{id}/content',
    summary: 'Download the content of a file',
    description: 'Takes Range, If-Range and If-None-Match.',
    access: mayView,
    params: byId,
    reply: bytes('*/*'),
    errors: ['RANGE_NOT_SATISFIABLE'],
  },
  update: {
    method: 'PATCH',
    path: '/api/files/{id}',
    summary: 'Rename a file or change what it belongs to',
    description: 'links replaces the links that you may see. A file that loses its last link goes after 30 days.',
    access: { all: ['UPDATE_FILE'] },
    params: byId,
    body: filePatch,
    reply: data(200, file),
  },
  delete: {
    method: 'DELETE',
    path: '/api/files/{id}',
    summary: 'Delete a file',
    access: { all: ['DELETE_FILE'] },
    params: byId,
    reply: removed,
  },
})
