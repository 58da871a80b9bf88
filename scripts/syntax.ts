// The syntax of a source file, for checks that words alone cannot make.
import { parseAst } from 'rolldown/parseAst'
import type { SourceFile } from './sources.ts'

/** A part of a program. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Returns the program of a file. */
export function syntaxOf({ path, source }: Pick<SourceFile, 'path' | 'source'>): Node {
  return parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
}

/** Returns the parts of a part. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}

/** Returns the line on which a part begins. */
export function lineOf(source: string, { start }: Node): number {
  return source.slice(0, start).split('\n').length
}
