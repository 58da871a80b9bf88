import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** The declarations of kinds. Their schemas stay out: pages leave it to the API to judge values. */
const declarations = /packages\/model\/src\/(?:kind|kinds\/[\w-]+|plain\/[\w-]+)\.ts$/
const contract = /packages\/contract\/src\/index\.ts$/
/** Files of the console that work out what pages need to know. */
const built = /\.built\.ts$/

/** Evaluates declarations when the console is built, so that pages load plain data instead of the schemas that it comes from. */
export const evaluatedDeclarations: Plugin = {
  name: 'evaluated-declarations',
  // Only a build leaves out what no page uses, such as the schemas that are computed from those of the kinds.
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: [declarations, contract, built] },
    handler: async (id) => {
      const values = (await import(pathToFileURL(id).href)) as Readonly<Record<string, unknown>>
      if (contract.test(id)) return dataAndFunctions(id, values)
      const data = Object.entries(values).filter(([, value]) => typeof value !== 'function')
      if (built.test(id))
        for (const [name, value] of Object.entries(values))
          if (!isData(value)) throw new Error(`${id} exports ${name}, which is no plain data`)
      return data.map(([name, value]) => exported(name, value)).join('\n')
    },
  },
}

/** Returns the source of an index file in which data stands for itself; what else it exports stays where it is, and is loaded on use. */
function dataAndFunctions(id: string, values: Readonly<Record<string, unknown>>): string {
  const data = Object.entries(values).filter(([, value]) => isData(value))
  const names = new Set(data.map(([name]) => name))
  const others = [...readFileSync(id, 'utf8').matchAll(/^export \{([^}]*)\} from ('[^']+')/gm)].flatMap(
    ([, exports = '', from]) => {
      const left = exports
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name in values && !names.has(name))
      return left.length === 0 ? [] : [`export { ${left.join(', ')} } from ${from}`]
    },
  )
  return [...data.map(([name, value]) => exported(name, value)), ...others].join('\n')
}

const exported = (name: string, value: unknown) => `export const ${name} = ${JSON.stringify(value, withoutSchemas)}`

/** Schemas are the only objects with this member. */
function withoutSchemas(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && '_zod' in value ? undefined : value
}

function isData(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isData)
  if (value === null) return true
  if (typeof value !== 'object') return ['string', 'number', 'boolean'].includes(typeof value)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData)
}
