import { coreOnly, isRunnable, toolDescriptor, type CoreMode, type CoreTool, type ToolCatalogue } from '@crm/tools'
import { LRUCache } from 'lru-cache'
import { isLeft, isLeftTo, type Narrowing } from './narrowing.ts'

/** Returns the result of `tools/list` as JSON in UTF-8. */
export type ToolList = (effective: ReadonlySet<string>, narrowing: Narrowing) => Buffer

/** A list of all tools takes some 130 kB. */
const cachedBytesMax = 16 * 1024 * 1024

/** Serialises every tool once; a list is joined from the pieces and cached for all credentials with the same permissions. */
export function createToolList(catalogue: ToolCatalogue, core: CoreMode): ToolList {
  const pieces = new Map(catalogue.tools.map((tool) => [tool.name, JSON.stringify(toolDescriptor(tool))]))
  const lists = new LRUCache<string, Buffer>({
    maxSize: cachedBytesMax,
    sizeCalculation: ({ byteLength }) => byteLength,
  })
  /** A caller that is recognised again brings the very same set. */
  const keys = new WeakMap<ReadonlySet<string>, string>()

  const keyOf = (effective: ReadonlySet<string>): string => {
    const known = keys.get(effective)
    if (known !== undefined) return known
    const key = [...effective].toSorted().join(',')
    keys.set(effective, key)
    return key
  }

  const fullList = (effective: ReadonlySet<string>, narrowing: Narrowing): readonly (string | undefined)[] =>
    catalogue
      .offeredTo(effective)
      .filter((tool) => isLeft(tool, narrowing) && (!narrowing.runnable || isRunnable(tool, effective)))
      .map(({ name }) => pieces.get(name))

  const coreList = (effective: ReadonlySet<string>, narrowing: Narrowing): readonly string[] =>
    core.tools
      .filter((tool) => isInCore(tool, narrowing, effective))
      .map((tool) => JSON.stringify(descriptorOf(tool, narrowing)))

  const join = (effective: ReadonlySet<string>, narrowing: Narrowing): Buffer => {
    const list = narrowing.mode === 'core' ? coreList : fullList
    return Buffer.from(`{"tools":[${list(effective, narrowing).join(',')}]}`)
  }

  return (effective, narrowing) => {
    const key = `${keyOf(effective)}|${keyOfNarrowing(narrowing)}`
    const known = lists.get(key)
    if (known) return known
    const list = join(effective, narrowing)
    lists.set(key, list)
    return list
  }
}

/** The tools that find and call others, and the tool that describes the workspace, are in every toolset. */
function isInCore({ name, tool }: CoreTool, narrowing: Narrowing, effective: ReadonlySet<string>): boolean {
  if (!tool) return effective.size > 0
  return isLeftTo(tool, name === coreOnly.workspace ? { ...narrowing, toolsets: null } : narrowing, effective)
}

/** In a read-only narrowing, a call of any tool only reads. */
function descriptorOf({ name, descriptor }: CoreTool, { readOnly }: Narrowing): CoreTool['descriptor'] {
  return readOnly && name === coreOnly.execute ? { ...descriptor, annotations: { readOnlyHint: true } } : descriptor
}

function keyOfNarrowing({ mode, toolsets, readOnly, runnable }: Narrowing): string {
  return `${mode}|${toolsets === null ? 'all' : [...toolsets].toSorted().join(',')}|${readOnly}|${runnable}`
}
