// `npm run new:kind warranty`: a kind of record with all that follows from it: its file in the model, its texts and its migration.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { kindEntities } from '../packages/model/src/graph.ts'
import { modelFiles } from './write-model.ts'

const usage = `Usage: npm run new:kind <name of one, such as service-contract> -- with any of
  --refers <kinds that it names, such as company,deal>
  --stages <its stages, such as open,claimed,closed; the last one ends it>
  --plural <the name of several>
  --root <folder of the project>`

const { values, positionals } = readArguments()
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))
const name = positionals[0] ?? ''
const stem = values.plural ?? pluralOf(name)
const referred = values.refers.split(',').filter((one) => one !== '')
const stages = values.stages.split(',').map((stage) => stage.trim().replaceAll('-', '_').toUpperCase())
const objection =
  objectionTo(name) ??
  objectionTo(stem) ??
  referred.map(objectionToReference).find(Boolean) ??
  stages.map(objectionToStage).find(Boolean)
if (objection !== undefined) fail(`${objection}\n${usage}`)

const model = `packages/model/src/plain/${name}.ts`
const texts = `apps/console/web/src/texts/plain/${name}.json`
const words = { one: name.replaceAll('-', ' '), many: stem.replaceAll('-', ' ') }
for (const path of [model, texts, `packages/contract/src/resources/${stem}.ts`])
  if (existsSync(join(root, path))) fail(`${name} is there already: ${path}`)

write(model, modelFile())
write(texts, `${JSON.stringify(Object.fromEntries(['en', 'de', 'fr', 'es', 'ru'].map(textsIn)), null, 2)}\n`)
for (const [path, content] of Object.entries(await modelFiles(root))) write(path, content)
run('scripts/write-migration.ts', '--name', `add_${stem.replaceAll('-', '_')}`)
run('scripts/write-reference.ts')
console.log(`There are ${words.many} now: in the API, the tools, search, imports, exports and the console.`)
console.log(`Next: name their fields in ${model} and run npm run migration; translate ${texts}.`)

function readArguments() {
  try {
    const text = { type: 'string' } as const
    return parseArgs({
      allowPositionals: true,
      options: {
        refers: { ...text, default: 'company' },
        stages: { ...text, default: 'open,closed' },
        plural: text,
        root: text,
      },
    })
  } catch {
    return fail(usage)
  }
}

/** Returns the reason why a kind cannot have a name; undefined when it can. */
function objectionTo(word: string): string | undefined {
  if (word === '') return 'Name the kind.'
  if (!/^[a-z]/.test(word)) return `${word} does not begin with a small letter.`
  if (/[^a-z0-9-]/.test(word)) return `${word} has signs other than small letters, digits and hyphens.`
  if (/--|-$/.test(word)) return `${word} has a hyphen that stands between no two words.`
  return word.length > 40
    ? `${word} is longer than the 40 signs that names of tables and indexes leave room for.`
    : undefined
}

function objectionToReference(one: string): string | undefined {
  const known = kindEntities.map((entity) => entity.toLowerCase())
  return known.includes(one) ? undefined : `There is no kind called ${one}; there are ${known.join(', ')}.`
}

function objectionToStage(stage: string): string | undefined {
  if (stages.length < 2) return 'Name two stages or more.'
  if (stages.indexOf(stage) !== stages.lastIndexOf(stage)) return `The stage ${stage} is named twice.`
  return /^[A-Z][A-Z0-9_]{0,39}$/.test(stage)
    ? undefined
    : 'Stages are words of letters, digits and hyphens that begin with a letter.'
}

function pluralOf(one: string): string {
  if (/[^aeiou]y$/.test(one)) return `${one.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(one) ? `${one}es` : one === '' ? '' : `${one}s`
}

function modelFile(): string {
  const camel = (words: string): string => words.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())
  const constant = camel(name)
  const references = referred.map((one) => ({ name: `${camel(one)}Id`, to: one.toUpperCase() }))
  const shown = ['name', 'status', ...references.map((one) => one.name), 'ownerId']
    .map((field) => `'${field}'`)
    .join(', ')
  return `import { choice, ${references.length > 0 ? 'reference, ' : ''}text } from '../field.ts'
import { definePlainKind } from '../kind.ts'

export const ${constant} = definePlainKind({
  entity: '${name.replaceAll('-', '_').toUpperCase()}',
  noun: '${words.one}',
  plural: '${words.many}',
  stem: '${stem}',
  module: null,
  icon: 'records',
  title: ['name'],
  transferred: true,
  line: { note: 'status' },
  list: { columns: [${shown}, 'createdAt'] },
  main: [${shown}, 'tags'],
  defaults: { status: '${stages[0]}' },
  over: ['${stages.at(-1)}'],
  fields: {
    name: text({ max: 200, presence: 'required', holds: 'name', sort: true }),
    status: choice({ values: [${stages.map((stage) => `'${stage}'`).join(', ')}], presence: 'always', sort: true, filter: true }),
${references.map((one) => `    ${one.name}: reference({ to: '${one.to}', filter: true }),\n`).join('')}    description: text({ max: 10_000, holds: 'prose' }),
  },
})
`
}

/** Returns the texts in a language, in English until somebody translates them. `labels` and `codes` name fields and choices. */
function textsIn(language: string): readonly [string, object] {
  const { one, many } = words
  const count = `{count, plural, one {# ${one}} other {# ${many}}}`
  return [language, { one, many, count, gender: 'other', labels: {}, codes: Object.fromEntries(stages.map(wordOf)) }]
}

function wordOf(code: string): readonly [string, string] {
  const word = code.toLowerCase().replaceAll('_', ' ')
  return [code, word.replace(/^./, (first) => first.toUpperCase())]
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(join(root, 'node_modules/.bin/node'), [program, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
