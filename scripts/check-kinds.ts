// What is true of a kind of record is said in packages/model; tables by kind elsewhere say it a second time.
import { kindEntities } from '../packages/model/src/graph.ts'
import type { SourceFile } from './sources.ts'
import { childrenOf, lineOf, syntaxOf, type Node } from './syntax.ts'

/** So many kinds in one object or list are a table of kinds. */
const kindsMax = 2

const entities: ReadonlySet<string> = new Set(kindEntities)

/** Returns each object and list outside of the model that names three kinds of record or more; one sentence for each. */
export function findKindTables(files: readonly Pick<SourceFile, 'path' | 'source' | 'isTest'>[]): string[] {
  return files
    .filter(({ path, isTest }) => !isTest && /^(apps|packages)\//.test(path) && !path.startsWith('packages/model/'))
    .flatMap(({ path, source }) => {
      if ([...entities].filter((entity) => source.includes(entity)).length <= kindsMax) return []
      return tablesIn(syntaxOf({ path, source })).map(
        (node) =>
          `${path}:${lineOf(source, node)} says something of several kinds of record: say it in packages/model, and compute it here.`,
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
