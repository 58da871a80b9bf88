// The sources of the project as the checks read them.
import { globSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

/** A source file with the properties that the checks need. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly code: string
  /** The code with its comments. */
  readonly source: string
  /** Such as `packages/db`; undefined for files outside packages. */
  readonly owner: string | undefined
  readonly isTest: boolean
  readonly isBrowser: boolean
}

/** Reads the source files below a root, every one unless a pattern is given. */
export function readSources(root: string, pattern = '{apps,packages,infra,scripts,bench}/**/*.{ts,tsx}'): SourceFile[] {
  const paths = globSync(pattern, {
    cwd: root,
    exclude: (path) =>
      ['node_modules', 'dist', '.turbo'].includes(basename(path)) || /^apps\/[^/]+\/bundle$/.test(path),
  })
  return paths
    .map((found) => found.split(sep).join('/'))
    .sort()
    .map((path) => describe(path, readFileSync(join(root, path), 'utf8')))
}

function describe(path: string, source: string): SourceFile {
  const owner = /^(?:apps|packages)\/[^/]+/.exec(path)?.[0]
  return {
    path,
    code: withoutComments(source),
    source,
    owner,
    isTest: /\.(test|fixture)\.tsx?$|\/test\//.test(path) || owner === 'packages/testkit',
    isBrowser: isBrowserCode(path),
  }
}

/** Whether Vite bundles a file: its packages are needed to build, not to run. */
function isBrowserCode(path: string): boolean {
  return /^apps\/[^/]+\/web\//.test(path)
}

/** An import or re-export of a file. */
export interface Import {
  readonly specifier: string
  readonly isTypeOnly: boolean
}

/** Returns the imports of a file, static or not. */
export function importsOf(code: string): Import[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\b(\s+type\b)?[^'"`;]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  )
  return [...statements].map(([, type, from, bare, dynamic]) => ({
    specifier: from ?? bare ?? dynamic ?? '',
    isTypeOnly: type !== undefined,
  }))
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
