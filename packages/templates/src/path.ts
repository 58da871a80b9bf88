/** The names and indexes that lead to a value. */
export type Path = readonly (string | number)[]

const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
const INDEX = /\[(0|[1-9]\d{0,8})\]/y

/** Names that lead from the data into the language; no path may contain one. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads the path `name(.name|[n])*` that starts at an offset; `end` is the offset after it, or of the fault. */
export function scanPath(text: string, start: number): { path: Path; end: number } | { fault: string; end: number } {
  const path: (string | number)[] = []
  let end = start
  for (;;) {
    const name = matchAt(NAME, text, end)
    if (!name) return { fault: 'A name is expected here.', end }
    if (FORBIDDEN.has(name[0])) return { fault: `The name ${name[0]} is not allowed.`, end }
    path.push(name[0])
    end += name[0].length
    for (let index = matchAt(INDEX, text, end); index; index = matchAt(INDEX, text, end)) {
      path.push(Number(index[1]))
      end += index[0].length
    }
    if (text[end] !== '.') return { path, end }
    end++
  }
}

/** Whether a text is a path in the form of conditions and templates (`trigger.items[0].name`). */
export function isPath(text: string): boolean {
  return parsePath(text) !== null
}

/** Writes a path in the form of a template. */
export function formatPath(path: Path): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
}

/** Reads the value at a path, from own properties only; a missing value and an invalid path give undefined. */
export function readPath(data: unknown, path: string): unknown {
  const parsed = parsePath(path)
  return parsed ? follow(data, parsed) : undefined
}

/** Follows a parsed path through own properties. */
export function follow(data: unknown, path: Path): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

function parsePath(text: string): Path | null {
  const scanned = scanPath(text, 0)
  return 'path' in scanned && scanned.end === text.length ? scanned.path : null
}

/** Matches a sticky expression exactly at an offset. */
export function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset
  return pattern.exec(text)
}
