// Every page named in a comment, a document or a link must exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

const sources = '{apps,packages,infra,scripts,bench,docs}/**/*.{ts,tsx,mjs,md,sql}'
const cited = /\b(?:docs\/(?:guide|decisions|reference)\/[\w.-]+\.(?:md|json))\b/g
const linked = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)\s]*)?\)/g

/** Returns every citation of a missing page of `docs` and every broken relative link of a document. */
export function findBrokenCitations(root: string): string[] {
  const paths = globSync([sources, '*.md'], {
    cwd: root,
    exclude: (path) => ['node_modules', 'dist', '.turbo', 'bundle', 'build', 'migrations'].includes(basename(path)),
  })
  return paths
    .map((path) => path.split(sep).join('/'))
    .sort()
    .flatMap((path) => {
      // The tests of this check name missing pages.
      if (path.startsWith('scripts/check-citations')) return []
      const text = readFileSync(join(root, path), 'utf8')
      const named = [...text.matchAll(cited)].map(([page]) => page)
      const links = path.endsWith('.md')
        ? [...text.matchAll(linked)].map(([, target = '']) => join(dirname(path), target))
        : []
      return [...new Set([...named, ...links])]
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${path} names ${target}, which is not there.`)
    })
}
