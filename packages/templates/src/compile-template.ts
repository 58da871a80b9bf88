import type { Compiled, TemplateNode } from './template.ts'
import { scanExpression } from './expression.ts'
import { matchAt } from './path.ts'
import { DEPTH_MAX, OUTPUT_BYTES_MAX } from './plain.ts'
import { compileText } from './template.ts'
import { positionAt, TemplateError } from './template-error.ts'

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const WORDS: Record<string, boolean | null> = { true: true, false: false, null: null }

/**
 * Compiles the text of a JSON body template, in which `{{path}}` may appear in a string or bare as a value. Throws a TemplateError with
 * the position of the fault.
 */
export function compileTemplate(source: string): Compiled {
  if (source.length > OUTPUT_BYTES_MAX) throw new TemplateError(`A template has at most ${OUTPUT_BYTES_MAX / 1024} KB.`)
  return { root: new TemplateReader(source).read() }
}

/** JSON's grammar with one more kind of value; JSON.parse cannot replace it, because it does not report the position of a fault. */
class TemplateReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  read(): TemplateNode {
    this.#skipSpace()
    const root = this.#value(0)
    this.#skipSpace()
    if (this.#at < this.#source.length) this.#fail(this.#at, 'The template has ended, but more text follows.')
    return root
  }

  #value(depth: number): TemplateNode {
    if (depth > DEPTH_MAX) this.#fail(this.#at, `The template is nested more than ${DEPTH_MAX} levels deep.`)
    if (this.#source.startsWith('{{', this.#at)) return this.#variable()
    const next = this.#source[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#array(depth)
    if (next === '"') return this.#text()
    return this.#numberOrWord()
  }

  #variable(): TemplateNode {
    const { expression, end } = scanExpression(this.#source, this.#at, this.#fail)
    this.#at = end
    return { kind: 'variable', expression }
  }

  #object(depth: number): TemplateNode {
    const entries = new Map<string, TemplateNode>()
    this.#list('}', () => {
      const start = this.#at
      if (this.#source[start] !== '"') this.#fail(start, 'A key in double quotes is expected here.')
      const key = this.#string()
      if (key === '__proto__') this.#fail(start, 'The key __proto__ is not allowed.')
      this.#skipSpace()
      this.#expect(':')
      this.#skipSpace()
      entries.set(key, this.#value(depth + 1))
    })
    return { kind: 'object', entries: [...entries] }
  }

  #array(depth: number): TemplateNode {
    const items: TemplateNode[] = []
    this.#list(']', () => items.push(this.#value(depth + 1)))
    return { kind: 'array', items }
  }

  #list(close: string, readItem: () => void): void {
    this.#at++
    this.#skipSpace()
    if (this.#source[this.#at] === close) {
      this.#at++
      return
    }
    for (;;) {
      readItem()
      this.#skipSpace()
      if (this.#source[this.#at] !== ',') break
      this.#at++
      this.#skipSpace()
    }
    this.#expect(close)
  }

  #text(): TemplateNode {
    const start = this.#at
    const text = this.#string()
    const raw = this.#source.slice(start + 1, this.#at - 1)
    return compileText(text, (offset, message) => this.#fail(start + 1 + rawOffset(raw, offset), message))
  }

  #string(): string {
    const start = this.#at
    let end = start + 1
    while (end < this.#source.length && this.#source[end] !== '"') end += this.#source[end] === '\\' ? 2 : 1
    this.#at = end + 1
    try {
      return JSON.parse(this.#source.slice(start, this.#at)) as string
    } catch {
      return this.#fail(start, 'This text is not closed, or holds a character that JSON wants escaped.')
    }
  }

  #numberOrWord(): TemplateNode {
    const token = (matchAt(NUMBER, this.#source, this.#at) ?? matchAt(WORD, this.#source, this.#at))?.[0]
    if (token === undefined) return this.#fail(this.#at, 'A JSON value or a variable is expected here.')
    const value = token in WORDS ? WORDS[token]! : Number(token)
    if (typeof value === 'number' && !Number.isFinite(value)) this.#fail(this.#at, 'This number is too large.')
    this.#at += token.length
    return { kind: 'fixed', value }
  }

  #skipSpace(): void {
    this.#at += matchAt(SPACE, this.#source, this.#at)![0].length
  }

  #expect(char: string): void {
    if (this.#source[this.#at] !== char) this.#fail(this.#at, `${char} is expected here.`)
    this.#at++
  }

  #fail = (offset: number, message: string): never => {
    throw new TemplateError(message, positionAt(this.#source, Math.min(offset, this.#source.length)))
  }
}

/** Returns the position of the n-th character of a string in its escaped form. */
function rawOffset(raw: string, offset: number): number {
  let at = 0
  for (let read = 0; read < offset; read++) at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2
  return at
}
