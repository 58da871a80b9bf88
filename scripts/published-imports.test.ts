import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishedPackages } from './pack-packages.ts'

// esbuild keeps all of zod for a page that calls one operation otherwise (findings/esbuild-keeps-all-of-an-exported-namespace.sh).
it('packages that other teams bundle import zod as a namespace', () => {
  const files = publishedPackages().flatMap(({ folder }) =>
    globSync('src/**/*.ts', { cwd: folder }).map((path) => join(folder, path)),
  )
  const wrong = files.filter((path) => /import \{[^}]*\bz\b[^}]*\} from 'zod'/.test(readFileSync(path, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})
