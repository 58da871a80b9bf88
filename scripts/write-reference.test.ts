import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { referenceDir, referencePages } from './write-reference.ts'

const pages = await referencePages()

describe('docs/reference', () => {
  it.each([...pages])('has a fresh %s (npm run reference)', (name, text) => {
    expect(
      readFileSync(join(referenceDir, name), 'utf8') === text,
      `${name} is not what the code says: run npm run reference`,
    ).toBe(true)
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

  it('name every tool and every code', () => {
    expect(pages.get('tools.md')).toContain(
      '| `leads_create` | `POST /api/leads` | CREATE_LEAD | Create a lead | adds |',
    )
    expect(pages.get('errors.md')).toContain(
      '`QUOTA_EXCEEDED` | A plan limit is reached | `details.quota`, `details.used`, `details.limit`',
    )
  })
})
