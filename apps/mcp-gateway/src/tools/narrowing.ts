import type { Tool } from '@crm/tools'

/** What a client asked to be shown, in the address of the server: `?toolsets=leads,deals` and `?readonly=true`. */
export interface Narrowing {
  /** Null: all. */
  readonly toolsets: ReadonlySet<string> | null
  readonly readOnly: boolean
}

/** The toolsets that a client asked for and there are not. */
export class UnknownToolsets extends Error {}

/**
 * Reads the narrowing out of the query. It fails closed: `readonly` narrows unless it says false or 0, and a toolset that
 * there is not is refused, so that a slip of the pen never opens more than was meant.
 * @throws {UnknownToolsets}
 */
export function readNarrowing(query: Readonly<Record<string, unknown>>, tools: readonly Tool[]): Narrowing {
  const of = (name: RegExp): string[] =>
    Object.entries(query).flatMap(([key, value]) => (name.test(key) ? [value].flat().map(String) : []))
  return {
    toolsets: readToolsets(of(/^tool_?sets?$/i), tools),
    readOnly: of(/^read[_-]?only$/i).some((value) => !['false', '0'].includes(value.toLowerCase())),
  }
}

function readToolsets(given: readonly string[], tools: readonly Tool[]): ReadonlySet<string> | null {
  if (given.length === 0) return null
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  const known = new Set(tools.map(({ toolset }) => toolset))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new UnknownToolsets(
      `There is no toolset ${unknown.map((name) => `"${name}"`).join(', ')}; there are ${[...known].join(', ')}`,
    )
  return new Set(names)
}

/** Whether a tool is left; what is not listed cannot be called either. */
export function isLeft({ toolset, annotations }: Tool, { toolsets, readOnly }: Narrowing): boolean {
  return (toolsets === null || toolsets.has(toolset)) && (!readOnly || annotations.readOnlyHint)
}
