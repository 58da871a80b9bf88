/** A position in a source text: `offset` counts from 0, `line` and `column` from 1, all in UTF-16 units. */
export type Position = { offset: number; line: number; column: number }

/**
 * The error for a template that cannot be compiled, with the position of the fault, or whose result is too large or too deep, without
 * one.
 */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly position: Position | null
  /** For a template that is a tree: the keys and indexes that lead to the faulty string, in which `position` counts. */
  readonly path: readonly (string | number)[]

  constructor(message: string, position: Position | null = null, path: readonly (string | number)[] = []) {
    super(message)
    this.position = position
    this.path = path
  }
}

/** Returns the line and column of an offset in a source text. */
export function positionAt(source: string, offset: number): Position {
  const lines = source.slice(0, offset).split('\n')
  return { offset, line: lines.length, column: lines.at(-1)!.length + 1 }
}
