import { isRunnable, type Tool } from '@crm/tools'

/**
 * The selection of tools that a client asks for in the server's address: `?mode=core`, `?toolsets=leads,deals`,
 * `?runnable=true` and `?readonly=true`.
 */
export interface Narrowing {
  /** `core` shows a few tools, and all others by search. */
  readonly mode: Mode
  /** The chosen toolsets; null stands for all. */
  readonly toolsets: ReadonlySet<string> | null
  readonly readOnly: boolean
  /** Whether tools are listed by the exact permission. */
  readonly runnable: boolean
}

const modes = ['full', 'core'] as const
type Mode = (typeof modes)[number]

/** A client asked for an unknown mode or toolset. */
export class UnknownNarrowing extends Error {}

/**
 * Reads the narrowing from the query. It fails closed: `readonly` narrows unless its value says no, and an unknown mode
 * or toolset is refused, so that a typing mistake never opens more than was meant.
 * @throws {UnknownNarrowing}
 */
export function readNarrowing(query: Readonly<Record<string, unknown>>, tools: readonly Tool[]): Narrowing {
  const of = (name: RegExp): string[] =>
    Object.entries(query).flatMap(([key, value]) => (name.test(key) ? [value].flat().map(String) : []))
  const given = of(/^modes?$/i).map((mode) => mode.trim().toLowerCase())
  requireKnown('mode', given, modes)
  return {
    mode: given.includes('core') ? 'core' : 'full',
    toolsets: readToolsets(of(/^tool_?sets?$/i), tools),
    readOnly: of(/^read[_-]?only$/i).some(isYes),
    runnable: of(/^runnable$/i).some(isYes),
  }
}

function isYes(value: string): boolean {
  return !['false', '0', 'no'].includes(value.trim().toLowerCase())
}

function readToolsets(given: readonly string[], tools: readonly Tool[]): ReadonlySet<string> | null {
  if (given.length === 0) return null
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  requireKnown('toolset', names, [...new Set(tools.map(({ toolset }) => toolset))])
  return new Set(names)
}

function requireKnown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const named = unknown.map((name) => `"${name}"`).join(', ')
  throw new UnknownNarrowing(`There is no ${what} ${named}; there are ${known.join(', ')}`)
}

type Narrowed = Pick<Narrowing, 'toolsets' | 'readOnly'>

/** Whether a narrowing keeps a tool; a removed tool cannot be called either. */
export function isLeft({ toolset, annotations }: Tool, { toolsets, readOnly }: Narrowed): boolean {
  return (toolsets === null || toolsets.has(toolset)) && (!readOnly || annotations.readOnlyHint)
}

/** Whether a narrowing keeps a tool and the caller has its exact permission. */
export function isLeftTo(tool: Tool, narrowing: Narrowed, effective: ReadonlySet<string>): boolean {
  return isLeft(tool, narrowing) && isRunnable(tool, effective)
}
