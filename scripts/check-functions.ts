// A function that does not fit on two screens does more than one thing.
import type { SourceFile } from './sources.ts'
import { childrenOf, lineOf, syntaxOf, type Node } from './syntax.ts'

/** The most lines of a function. */
const linesMax = 100

const functions: readonly string[] = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Returns each function that is too long, outside of tests and of the files that start processes; one sentence for each. */
export function findLongFunctions(files: readonly Pick<SourceFile, 'path' | 'source' | 'isTest'>[]): string[] {
  return files
    .filter(({ path, isTest }) => !isTest && !/\/main[^/]*\.ts$/.test(path))
    .filter(({ source }) => countOfLines(source) > linesMax)
    .flatMap((file) =>
      functionsIn(syntaxOf(file))
        .filter(({ start, end }) => countOfLines(file.source.slice(start, end)) > linesMax)
        .map((node) => `${file.path}:${lineOf(file.source, node)} has more than ${linesMax} lines: part the function.`),
    )
}

function countOfLines(text: string): number {
  return text.split('\n').length
}

function functionsIn(node: Node): Node[] {
  return [...(functions.includes(node.type) ? [node] : []), ...childrenOf(node).flatMap(functionsIn)]
}
