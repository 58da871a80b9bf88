import { parseSync, Visitor, type ESTree } from 'vite'

/** An English text in a source. */
export interface SourceText {
  readonly english: string
  /** Tells it from the same English with another meaning. */
  readonly context: string | undefined
  /** The names of the values that it gets; undefined where they are not written out. */
  readonly values: readonly string[] | undefined
  readonly line: number
  /** The place of its literal. */
  readonly start: number
  readonly end: number
}

interface TextsOfSource {
  /** In their order. */
  readonly texts: readonly SourceText[]
  /** The lines on which a text is computed, so that nobody could translate it. */
  readonly computed: readonly number[]
}

/** Finds the texts of a source: the first arguments of `t` and `t.rich`. */
export function textsIn(path: string, source: string): TextsOfSource {
  const texts: SourceText[] = []
  const computed: number[] = []
  if (!/texts\.ts'|loadTexts/.test(source)) return { texts, computed }
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  new Visitor({
    CallExpression: ({ callee, arguments: [text, values] }) => {
      if (!isT(callee)) return
      for (const choice of choicesOf(text)) {
        const { start, end } = choice
        const line = lineOf(start)
        if (choice.type === 'Literal' && typeof choice.value === 'string')
          texts.push({ english: choice.value, context: contextIn(values), values: namesIn(values), line, start, end })
        else computed.push(line)
      }
    },
  }).visit(parseSync(path, source).program)
  return { texts, computed }
}

type Argument = ESTree.Argument | undefined

function isT(callee: ESTree.Expression): boolean {
  const named = callee.type === 'MemberExpression' ? callee.object : callee
  return named.type === 'Identifier' && named.name === 't'
}

/** Returns the texts from which a call chooses one. */
function choicesOf(text: Argument): readonly ESTree.Argument[] {
  if (text?.type === 'ConditionalExpression') return [text.consequent, text.alternate].flatMap(choicesOf)
  return text === undefined ? [] : [text]
}

function namesIn(values: Argument): readonly string[] | undefined {
  if (values === undefined) return []
  if (values.type !== 'ObjectExpression') return undefined
  const names = values.properties.map((member) =>
    member.type === 'Property' && member.key.type === 'Identifier' ? member.key.name : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}

function contextIn(values: Argument): string | undefined {
  if (values?.type !== 'ObjectExpression') return undefined
  const context = values.properties.find(
    (member) => member.type === 'Property' && member.key.type === 'Identifier' && member.key.name === 'context',
  )
  return context?.type === 'Property' && context.value.type === 'Literal' ? String(context.value.value) : undefined
}
