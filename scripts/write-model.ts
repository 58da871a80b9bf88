// `npm run model`: the lists of the kinds in packages/model/src/plain. A kind is there as soon as its file is.
import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resourceName } from '../packages/model/src/resource-name.ts'
import type { PlainKind } from '../packages/model/src/kind.ts'

interface Declared {
  /** The file without its ending, such as `service-contract`. */
  readonly file: string
  /** What the file exports. */
  readonly constant: string
  readonly kind: PlainKind
}

/** Returns the files that list the plain kinds of a checkout, by path from its root. */
export async function modelFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const declared = await Promise.all(
    globSync('packages/model/src/plain/*.ts', { cwd: root })
      .toSorted((one, other) => (one < other ? -1 : 1))
      .map((path) => declaredIn(root, path)),
  )
  return {
    'packages/model/src/plain-entities.ts': entitiesFile(declared),
    'packages/model/src/plain-kinds.ts': kindsFile(declared),
    'packages/db/src/schema/plain-tables.ts': tablesFile(declared),
  }
}

async function declaredIn(root: string, path: string): Promise<Declared> {
  const file = basename(path, '.ts')
  const constant = resourceName(file)
  const module = (await import(pathToFileURL(join(root, path)).href)) as Readonly<Record<string, PlainKind | undefined>>
  const kind = module[constant]
  if (kind === undefined) throw new Error(`${path} exports no kind called ${constant}`)
  return { file, constant, kind }
}

function entitiesFile(declared: readonly Declared[]): string {
  const names = declared.map(({ kind: { entity } }) => `'${entity}'`).join(' | ')
  return `// \`npm run model\` writes this file from the files in \`plain/\`.

/** The entity type of a kind of which nothing is special. */
export type PlainEntity = ${names === '' ? 'never' : names}
`
}

function kindsFile(declared: readonly Declared[]): string {
  const imports = declared.map(({ file, constant }) => `import { ${constant} } from './plain/${file}.ts'\n`)
  const entries = declared.map(({ kind, constant }) => `  ${kind.entity}: ${constant},\n`)
  const table = entries.length === 0 ? '{}' : `{\n${entries.join('')}}`
  return `// \`npm run model\` writes this file from the files in \`plain/\`.
${imports.join('')}
/** The kinds of which nothing is special, by entity type. */
export const plainKinds = ${table} as const
`
}

function tablesFile(declared: readonly Declared[]): string {
  const head = '// `npm run model` writes this file from the kinds in packages/model/src/plain.\n'
  if (declared.length === 0) return `${head}export type { Referred } from '../plain-table.ts'\n`
  const entries = declared.map(({ kind: { entity, stem } }) => `  ${entity}: ${resourceName(stem)},\n`)
  const tables = declared.map(
    ({ kind: { entity, stem } }) => `export const ${resourceName(stem)} = plainTable(plainKinds.${entity}, tables)\n`,
  )
  return `${head}import { plainKinds } from '@crm/model'
import { plainTable, type Referred } from '../plain-table.ts'

const tables = (): Readonly<Record<string, Referred>> => ({
${entries.join('')}})

${tables.join('')}`
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const [path, content] of Object.entries(await modelFiles(root))) writeFileSync(join(root, path), content)
}
