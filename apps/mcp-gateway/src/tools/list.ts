import { toolDescriptor, type ToolCatalogue } from '@crm/tools'
import type { Effective } from './credential.ts'
import { isLeft, type Narrowing } from './narrowing.ts'

/** Gives the result of `tools/list` as JSON in UTF-8. */
export type ToolList = (effective: Effective, narrowing: Narrowing) => Buffer

const cachedListsMax = 500

/** Serialises every tool once; a list is joined from the pieces and kept by the permissions as the API wrote them. */
export function createToolList(catalogue: ToolCatalogue): ToolList {
  const pieces = new Map(catalogue.tools.map((tool) => [tool.name, JSON.stringify(toolDescriptor(tool))]))
  const lists = new Map<string, Buffer>()
  const join = (effective: ReadonlySet<string>, narrowing: Narrowing): Buffer => {
    const tools = catalogue.offeredTo(effective).filter((tool) => isLeft(tool, narrowing))
    return Buffer.from(`{"tools":[${tools.map(({ name }) => pieces.get(name)).join(',')}]}`)
  }
  return (effective, narrowing) => {
    const key = `${effective.text}|${keyOf(narrowing)}`
    const known = lists.get(key)
    if (known) return known
    const list = join(effective.read(), narrowing)
    if (lists.size >= cachedListsMax) lists.clear()
    lists.set(key, list)
    return list
  }
}

function keyOf({ toolsets, readOnly }: Narrowing): string {
  return `${toolsets === null ? 'all' : [...toolsets].toSorted().join(',')}|${readOnly}`
}
