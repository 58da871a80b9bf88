import { toolDescriptor, type ToolCatalogue } from '@crm/tools'
import { isLeft, type Narrowing } from './narrowing.ts'

/** Gives the result of `tools/list` as JSON in UTF-8. */
export type ToolList = (effective: ReadonlySet<string>, narrowing: Narrowing) => Buffer

/** A list of all tools has some 130 kB. */
const cachedBytesMax = 16 * 1024 * 1024

/** Serialises every tool once; a list is joined from the pieces and kept for all credentials with the same permissions. */
export function createToolList(catalogue: ToolCatalogue): ToolList {
  const pieces = new Map(catalogue.tools.map((tool) => [tool.name, JSON.stringify(toolDescriptor(tool))]))
  const lists = new Map<string, Buffer>()
  let cachedBytes = 0
  /** A caller that is recognised again comes with the very same set. */
  const keys = new WeakMap<ReadonlySet<string>, string>()

  const keyOf = (effective: ReadonlySet<string>): string => {
    const known = keys.get(effective)
    if (known !== undefined) return known
    const key = [...effective].toSorted().join(',')
    keys.set(effective, key)
    return key
  }

  const join = (effective: ReadonlySet<string>, narrowing: Narrowing): Buffer => {
    const tools = catalogue.offeredTo(effective).filter((tool) => isLeft(tool, narrowing))
    return Buffer.from(`{"tools":[${tools.map(({ name }) => pieces.get(name)).join(',')}]}`)
  }

  const keep = (key: string, list: Buffer): void => {
    if (cachedBytes + list.byteLength > cachedBytesMax) {
      lists.clear()
      cachedBytes = 0
    }
    lists.set(key, list)
    cachedBytes += list.byteLength
  }

  return (effective, narrowing) => {
    const key = `${keyOf(effective)}|${keyOfNarrowing(narrowing)}`
    const known = lists.get(key)
    if (known) return known
    const list = join(effective, narrowing)
    keep(key, list)
    return list
  }
}

function keyOfNarrowing({ toolsets, readOnly }: Narrowing): string {
  return `${toolsets === null ? 'all' : [...toolsets].toSorted().join(',')}|${readOnly}`
}
