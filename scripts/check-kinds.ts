// What is true of a kind of record is said in packages/model; tables by kind elsewhere say it a second time.
import { parseAst } from 'rolldown/parseAst'
import { kindEntities } from '../packages/model/src/graph.ts'
import type { SourceFile } from './sources.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** So many kinds in one object or list are a table of kinds. */
const kindsMax = 2

const entities: ReadonlySet<string> = new Set(kindEntities)

/** Returns each object and list outside of the model that names three kinds of record or more; one sentence for each. */
export function findKindTables(files: readonly Pick<SourceFile, 'path' | 'source' | 'isTest'>[]): string[] {
  return files
    .filter(({ path, isTest }) => !isTest && /^(apps|packages)\//.test(path) && !path.startsWith('packages/model/'))
    .flatMap(({ path, source }) => {
      if ([...entities].filter((entity) => source.includes(entity)).length <= kindsMax) return []
      const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
      return tablesIn(program).map(
        ({ start }) =>
          `${path}:${source.slice(0, start).split('\n').length} says something of several kinds of record: say it in packages/model, and compute it here.`,
      )
    })
}

function tablesIn(node: Node): Node[] {
  const own = namesIn(node).filter((name) => entities.has(name)).length > kindsMax ? [node] : []
  return own.length > 0 ? own : childrenOf(node).flatMap(tablesIn)
}

/** Returns the keys of an object and the texts in a list. */
function namesIn({ type, properties, elements }: Node): string[] {
  if (type === 'ObjectExpression')
    return (properties as readonly Node[]).flatMap(({ key }) => textOf(key as Node | undefined))
  return type === 'ArrayExpression' ? (elements as readonly (Node | null)[]).flatMap((one) => textOf(one)) : []
}

function textOf(node: Node | null | undefined): string[] {
  const text = node?.type === 'Identifier' ? node['name'] : node?.['value']
  return typeof text === 'string' ? [text] : []
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}
