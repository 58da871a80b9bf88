import { basename, dirname, join, normalize } from 'node:path/posix'
import { importsOf, type SourceFile } from './sources.ts'

/**
 * Returns the test files near changed ones: themselves, those that import them directly, and those beside them about the same thing.
 * `further` counts the test files that lead to them over other files, all of which `npm test` runs.
 */
export function nearestTests(
  changed: readonly string[],
  sources: readonly SourceFile[],
): { readonly tests: readonly string[]; readonly further: number } {
  const importers = new Map<string, string[]>()
  for (const { path, code } of sources)
    for (const { specifier } of importsOf(code)) {
      const target = specifier.startsWith('.')
        ? normalize(join(dirname(path), specifier))
        : specifier.replace(/^@crm\/([\w-]+)$/, 'packages/$1/src/index.ts')
      importers.set(target, [...(importers.get(target) ?? []), path])
    }
  const leading = new Set(changed)
  for (const path of leading) for (const importer of importers.get(path) ?? []) leading.add(importer)
  const isNear = (test: string): boolean =>
    changed.some(
      (path) =>
        path === test ||
        importers.get(path)?.includes(test) ||
        (dirname(path) === dirname(test) && stemOf(path) === stemOf(test)),
    )
  const all = sources.map(({ path }) => path).filter(isTest)
  const tests = all.filter(isNear)
  return { tests, further: all.filter((test) => leading.has(test) && !tests.includes(test)).length }
}

/** The first word of a file name, such as `leads` of `leads.create.test.ts`. */
const stemOf = (path: string): string => basename(path).split('.')[0] ?? ''
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) && !path.includes('.deep.')
