import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildPackages, publishedPackages } from './pack-packages.ts'

// esbuild keeps all of zod for a page that calls one operation otherwise (findings/esbuild-keeps-all-of-an-exported-namespace.sh).
it('packages that other teams bundle import zod as a namespace', () => {
  const files = publishedPackages().flatMap(({ folder }) =>
    globSync('src/**/*.ts', { cwd: folder }).map((path) => join(folder, path)),
  )
  const wrong = files.filter((path) => /import \{[^}]*\bz\b[^}]*\} from 'zod'/.test(readFileSync(path, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

// What the compiler cannot write into declarations, such as a type that is too long, is no fault of the sources and stops a release.
it('packages can be built as they are published, with their declarations', () => {
  expect(buildPackages().map(({ manifest: { name } }) => name)).toContain('@crm/contract')
}, 300_000)
