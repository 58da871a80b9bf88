import { publicDocument } from '@crm/openapi'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operationsPage } from './reference/operations-page.ts'
import { referenceDir, referencePages } from './write-reference.ts'

const pages = await referencePages()

describe('docs/reference', () => {
  it.each([...pages])('has a fresh %s (npm run reference)', (name, text) => {
    const checkedIn = readFileSync(join(referenceDir, name), 'utf8')
    expect(checkedIn, `${name} is not what the code says: run npm run reference`).toBe(text)
  })

  it('holds nothing that is not written from the code', () => {
    expect(readdirSync(referenceDir).toSorted()).toEqual([...pages.keys()].toSorted())
  })
})

describe('the pages', () => {
  it('name every variable of an app with its default', () => {
    expect(pages.get('config.md')).toMatch(/^## mcp-gateway$/m)
    expect(pages.get('config.md')).toMatch(/^\| `CRM_API_URL` \| required \| \S/m)
    expect(pages.get('config.md')).toMatch(/^\| `HOST` \| `127\.0\.0\.1` \| \S/m)
  })

  it('show a change of a field in the line of its record', () => {
    const document = publicDocument()
    const { LeadsRecord, ...others } = document.components['schemas']!
    const { score: _score, ...properties } = LeadsRecord!['properties'] as Record<string, unknown>
    const components = { ...document.components, schemas: { LeadsRecord: { ...LeadsRecord, properties }, ...others } }
    const changed = operationsPage({ 'Public API': { ...document, components } }).split('\n')
    const before = operationsPage({ 'Public API': document }).split('\n')
    expect(changed.filter((line) => !before.includes(line))).toEqual([
      expect.stringMatching(/^\| schemas LeadsRecord /),
    ])
  })

  it('name every operation of the three APIs', () => {
    const page = pages.get('operations.md')
    expect(page).toMatch(/^\| `POST \/api\/leads` \| `CREATE_LEAD` \| Create a lead \| [0-9a-f]{8} \| 201 /m)
    expect(page).toMatch(/^\| `GET \/api\/settings\//m)
    expect(page).toMatch(/^\| `POST \/api\/public\/booking\//m)
    expect(page).toMatch(/^\| `POST \/api\/hooks\//m)
  })

  it('name every tool and every code', () => {
    expect(pages.get('tools.md')).toContain(
      '| `leads_create` | `POST /api/leads` | CREATE_LEAD | Create a lead | adds |',
    )
    expect(pages.get('errors.md')).toContain(
      '`QUOTA_EXCEEDED` | A plan limit is reached | `details.quota`, `details.used`, `details.limit`',
    )
  })
})
