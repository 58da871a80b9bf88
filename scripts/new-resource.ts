// `npm run new:resource vehicles -- --kind owned`: a resource of the public API from its contract to its tests, registered everywhere.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { placesOf, type ResourceNames, type ResourceTemplate } from './new-resource.names.ts'
import { ownedTemplate } from './new-resource.owned.ts'
import { referenceTemplate } from './new-resource.reference.ts'

const templates: Readonly<Record<string, ResourceTemplate>> = { reference: referenceTemplate, owned: ownedTemplate }

const usage = `Usage: npm run new:resource <plural, kebab-case> [-- --kind ${Object.keys(templates).join('|')}] [--noun <singular>] [--root <folder>]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kind: { type: 'string', default: 'reference' }, noun: { type: 'string' }, root: { type: 'string' } },
})
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))
const plural = positionals[0] ?? ''
const objection = objectionTo(plural)
if (objection !== undefined) fail(`${objection}\n${usage}`)
const template = templates[values.kind] ?? fail(`There is no kind of resource called ${values.kind}.\n${usage}`)
const names = namesOf(plural, values.noun ?? singularOf(plural))
if (existsSync(join(root, placesOf(names).contract))) fail(`${plural} is there already`)

for (const [path, content] of Object.entries(template.files(names))) write(path, content)
register()
writeMigration()
run('node_modules/.bin/node', ['scripts/write-reference.ts'], '.')
run('node_modules/.bin/oxfmt', ['apps', 'packages'], '.')
const { model, contract, schema } = placesOf(names)
const fieldsIn = existsSync(join(root, model)) ? model : `${contract} and ${schema}`
console.log(`${plural}: contract, table, migration, handlers and tests are written and registered.`)
console.log(`Next: name its fields in ${fieldsIn}, then npm test.`)

/** Returns the reason why a resource cannot have a name; undefined when it can. */
function objectionTo(name: string): string | undefined {
  if (name === '') return 'Name the resource.'
  if (!/^[a-z]/.test(name)) return `${name} does not begin with a small letter.`
  if (/[^a-z0-9-]/.test(name)) return `${name} has signs other than small letters, digits and hyphens.`
  if (/--|-$/.test(name)) return `${name} has a hyphen that stands between no two words.`
  return name.length > 40
    ? `${name} is longer than the 40 signs that names of tables and indexes leave room for.`
    : undefined
}

function namesOf(plural: string, noun: string): ResourceNames {
  const camel = camelCase(plural)
  const singular = camelCase(noun)
  return {
    plural,
    noun,
    camel,
    singular,
    singularPlace: noun.replaceAll(' ', '-'),
    pascal: capitalized(camel),
    singularPascal: capitalized(singular),
    entity: noun.replaceAll(/[^a-z0-9]/gi, '_').toUpperCase(),
    table: plural.replaceAll('-', '_'),
    title: plural.replaceAll('-', ' '),
  }
}

function camelCase(words: string): string {
  return words.replaceAll(/[- ]([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function singularOf(plural: string): string {
  const words = plural.replaceAll('-', ' ')
  if (words.endsWith('ies')) return `${words.slice(0, -3)}y`
  return /(ss|x|ch|sh)es$/.test(words) ? words.slice(0, -2) : words.replace(/s$/, '')
}

/** Adds the resource to all lists of resources. */
function register(): void {
  const { plural, camel, pascal } = names
  edit('packages/contract/src/contract.ts', [
    [/^import /m, `import { ${camel} } from './resources/${plural}.ts'\nimport `],
    [/(export const publicContract = \{[^}]*?)(\s*,?\s*me,\s*openapiDocument)/, `$1, ${camel}$2`],
  ])
  edit('packages/contract/src/index.ts', [[/$/, `export { ${camel} } from './resources/${plural}.ts'\n`]])
  edit('packages/db/src/schema/index.ts', [[/$/, `export * from './${plural}.ts'\n`]])
  edit('packages/db/src/schema/holdings.ts', [[/\n\}\s*$/, `\n  ${camel}: ${template.holdings(names)},\n}\n`]])
  edit('apps/crm-api/src/service.ts', [
    [
      /^import \{ implementLeads \}/m,
      `import { implemented${pascal} } from './resources/${plural}/${plural}.handlers.ts'\nimport { implementLeads }`,
    ],
    [
      /(export const createPublicService = \(app: FastifyInstance\) =>\s+\(\{[^}]*?)(\n {2}me: )/,
      `$1\n  ${camel}: implemented${pascal},$2`,
    ],
  ])
  edit('apps/crm-api/test/samples.ts', [
    [/( {2}'leads\.create': )/, `  '${camel}.create': async () => (${template.sample.replaceAll('$', '$$$$')}),\n$1`],
  ])
  edit('apps/crm-api/test/targets.ts', [[/( {2}projects: async )/, `  ${camel}: at('/api/${plural}'),\n$1`]])
  for (const [path, changes] of Object.entries(template.listed(names))) edit(path, changes)
}

/** Writes the migration: the table from the schema, and the statements that no schema can express. */
function writeMigration(): void {
  run('node_modules/.bin/node', ['scripts/write-migration.ts', '--name', `add_${names.table}`], '.')
  const [file] = globSync(`packages/db/migrations/*_add_${names.table}.sql`, { cwd: root })
  if (file === undefined) fail(`No migration was written for ${plural}`)
  appendFileSync(
    join(root, file),
    template
      .statements(names)
      .map((statement) => `\n--> statement-breakpoint\n${statement}`)
      .join(''),
  )
}

function edit(path: string, changes: readonly (readonly [RegExp, string])[]): void {
  const file = join(root, path)
  let source = readFileSync(file, 'utf8')
  for (const [pattern, replacement] of changes) {
    const changed = source.replace(pattern, replacement)
    if (changed === source) fail(`${path} does not look as expected: nothing matches ${pattern}`)
    source = changed
  }
  writeFileSync(file, source)
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function run(program: string, args: readonly string[], folder: string): void {
  execFileSync(join(root, program), args, { cwd: join(root, folder), stdio: ['ignore', 'ignore', 'inherit'] })
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
