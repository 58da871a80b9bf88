import { toolDescriptor, type ToolCatalogue } from '@crm/tools'
import { isLeft, type Narrowing } from './narrowing.ts'

/** Gives the result of `tools/list` as JSON text. */
export type ToolList = (effective: ReadonlySet<string>, narrowing: Narrowing) => string

const cachedListsMax = 500

/** Serialises every tool once; a list is joined from the pieces and kept by the set of permissions. */
export function createToolList(catalogue: ToolCatalogue): ToolList {
  const pieces = new Map(catalogue.tools.map((tool) => [tool.name, JSON.stringify(toolDescriptor(tool))]))
  const lists = new Map<string, string>()
  const join: ToolList = (effective, narrowing) => {
    const tools = catalogue.offeredTo(effective).filter((tool) => isLeft(tool, narrowing))
    return `{"tools":[${tools.map(({ name }) => pieces.get(name)).join(',')}]}`
  }
  return (effective, narrowing) => {
    const key = keyOf(effective, narrowing)
    const list = lists.get(key) ?? join(effective, narrowing)
    if (lists.size >= cachedListsMax) lists.clear()
    lists.set(key, list)
    return list
  }
}

function keyOf(effective: ReadonlySet<string>, { toolsets, readOnly }: Narrowing): string {
  const names = toolsets === null ? 'all' : [...toolsets].toSorted().join(',')
  return `${[...effective].toSorted().join(' ')}|${names}|${readOnly}`
}
