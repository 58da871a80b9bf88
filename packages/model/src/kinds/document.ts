import { text } from '../field.ts'
import { defineKind } from '../kind.ts'

/** A template of documents (docs/guide/records.md). */
export const documentTemplate = defineKind({
  entity: 'DOCUMENT',
  noun: 'document template',
  plural: 'document templates',
  stem: 'documents',
  module: 'FILES',
  icon: 'documents',
  title: ['name'],
  list: { columns: ['name', 'kind', 'ownerId', 'updatedAt', 'createdAt'] },
  page: 'document-templates',
  main: ['name', 'kind', 'body', 'ownerId', 'tags'],
  fields: {
    name: text({ max: 200, presence: 'required', holds: 'name', sort: true }),
    kind: text({
      max: 60,
      presence: 'always',
      holds: 'fixed',
      sort: true,
      filter: true,
      hint: 'Such as CONTRACT or LETTER',
    }),
    body: text({
      max: 100_000,
      presence: 'required',
      holds: 'prose',
      hint: 'Markdown with variables such as {{record.name}}, {{organization.name}}, {{today}}',
    }),
  },
})
