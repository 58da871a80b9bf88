import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findBrokenCitations } from './check-citations.ts'

function brokenIn(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'crm-citations-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return findBrokenCitations(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

it('finds pages that comments and links name and that are not there', () => {
  const files = {
    'packages/db/src/a.ts': '/** See docs/guide/lists.md and docs/decisions/gone.md. */',
    'docs/guide/lists.md': '[there](../../README.md#start) [gone](errors.md) [elsewhere](https://example.com/x)',
    'README.md': '[guide](docs/guide/lists.md) [no guide](docs/guide/nothing.md)',
  }
  expect(brokenIn(files)).toEqual([
    'README.md names docs/guide/nothing.md, which is not there.',
    'docs/guide/lists.md names docs/guide/errors.md, which is not there.',
    'packages/db/src/a.ts names docs/decisions/gone.md, which is not there.',
  ])
})

it('finds nothing where every page is there', () => {
  expect(brokenIn({ 'apps/x/README.md': '[up](../../docs/guide/lists.md)', 'docs/guide/lists.md': '' })).toEqual([])
})
