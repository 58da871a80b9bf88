// A regular expression that tries again from each character needs minutes for one long text, and a process does nothing else meanwhile
// (docs/decisions/expressions.md). The analysis is the one of eslint-plugin-regexp.
import { analyse } from 'scslre'
import type { SourceFile } from './sources.ts'
import { childrenOf, lineOf, syntaxOf, type Node } from './syntax.ts'

/** Only a file with a repetition between slashes has one that repeats. */
const mayHaveExpression = /\/[^\n]*[*+{][^\n]*\//

/** Returns the regular expressions whose time grows faster than the text, one sentence for each. */
export function findSlowExpressions(
  files: readonly Pick<SourceFile, 'path' | 'source' | 'owner' | 'isTest'>[],
): string[] {
  return files
    .filter(({ owner, isTest, source }) => owner !== undefined && !isTest && mayHaveExpression.test(source))
    .flatMap((file) =>
      expressionsIn(syntaxOf(file)).flatMap(({ node, pattern, flags }) =>
        isSlow(pattern, flags)
          ? [
              `${file.path}:${lineOf(file.source, node)} has /${pattern}/${flags}, which tries again from each character of a long text: anchor it, let (?<!…) begin it once, or read without one.`,
            ]
          : [],
      ),
    )
}

interface Expression {
  readonly node: Node
  readonly pattern: string
  readonly flags: string
}

function expressionsIn(node: Node): readonly Expression[] {
  const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } | null }
  return regex ? [{ node, ...regex }] : childrenOf(node).flatMap(expressionsIn)
}

function isSlow(pattern: string, flags: string): boolean {
  return (
    analyse({ source: pattern, flags }, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.length > 0
  )
}
