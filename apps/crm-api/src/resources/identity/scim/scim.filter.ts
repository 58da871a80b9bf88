import { scimSchemas } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { hasNul } from '@crm/http'

/** The operators that compare an attribute with a value, RFC 7644, section 3.4.2.2. */
const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ScimOperator = (typeof operators)[number]
export type ScimValue = string | number | boolean | null

/** A filter as a tree; attributes are in lower case and without the URN of the core schemas. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly part: ScimFilter }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'some'; readonly attribute: string; readonly of: ScimFilter }
  | {
      readonly kind: 'compare'
      readonly attribute: string
      readonly operator: ScimOperator
      readonly value: ScimValue
    }

/** The target of a PATCH: an attribute, the values of it that match, and a part of them. */
export interface ScimPath {
  readonly attribute: string
  readonly of: ScimFilter | null
  readonly sub: string | null
}

interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'end'
  readonly text: string
}

const depthMax = 20
const tokenPattern = /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<sign>[()[\]])|(?<word>[^\s()[\]"]+))/y

/** Parses a filter. Throws `invalidFilter`. */
export function parseFilter(text: string): ScimFilter {
  const reader = new Reader(text, 'invalidFilter')
  const filter = reader.either(0)
  reader.end()
  return filter
}

/** Parses the path of a PATCH, such as `emails[type eq "work"].value`. Throws `invalidPath`. */
export function parsePath(text: string): ScimPath {
  const reader = new Reader(text, 'invalidPath')
  const path = reader.path()
  reader.end()
  return path
}

/** Returns the name of an attribute in lower case, without the URN of a core schema and with that of an extension. */
export function attributeName(text: string): string {
  const lower = text.toLowerCase()
  const name = coreSchemas.reduce(
    (name, urn) => (name.startsWith(`${urn}:`) ? name.slice(urn.length + 1) : name),
    lower,
  )
  return /^(department|manager)(\.|$)/.test(name) ? `${scimSchemas.enterpriseUser.toLowerCase()}:${name}` : name
}

const coreSchemas = [scimSchemas.user, scimSchemas.group].map((urn) => urn.toLowerCase())

/** Whether a name in lower case is that of a core schema itself. */
export function isCoreSchema(name: string): boolean {
  return coreSchemas.includes(name)
}

/** Reads tokens from left to right; `not` binds most closely, then `and`, then `or`. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #reason: 'invalidFilter' | 'invalidPath'
  #at = 0

  constructor(text: string, reason: 'invalidFilter' | 'invalidPath') {
    this.#reason = reason
    this.#tokens = this.#split(text)
  }

  either(depth: number): ScimFilter {
    return this.#joined('or', () => this.#all(depth))
  }

  path(): ScimPath {
    const attribute = this.#attribute()
    if (!this.#takes('[')) return { attribute, of: null, sub: null }
    const of = this.either(1)
    this.#need(']')
    return { attribute, of, sub: this.#takes('.') ? this.#attribute() : null }
  }

  end(): void {
    if (this.#peek().kind !== 'end') this.#refuse()
  }

  #all(depth: number): ScimFilter {
    return this.#joined('and', () => this.#one(depth))
  }

  #joined(kind: 'and' | 'or', read: () => ScimFilter): ScimFilter {
    const parts = [read()]
    while (this.#takes(kind)) parts.push(read())
    return parts.length === 1 ? parts[0]! : { kind, parts }
  }

  #one(depth: number): ScimFilter {
    if (depth > depthMax) this.#refuse()
    if (this.#takes('not')) {
      this.#need('(')
      return { kind: 'not', part: this.#closed(depth) }
    }
    return this.#takes('(') ? this.#closed(depth) : this.#comparison(depth)
  }

  #closed(depth: number): ScimFilter {
    const inner = this.either(depth + 1)
    this.#need(')')
    return inner
  }

  #comparison(depth: number): ScimFilter {
    const attribute = this.#attribute()
    if (this.#takes('[')) {
      const of = this.either(depth + 1)
      this.#need(']')
      if (!this.#takes('.')) return { kind: 'some', attribute, of }
      // Large directories go on after the bracket, as paths of a PATCH do: the values that match are compared further.
      return { kind: 'some', attribute, of: { kind: 'and', parts: [of, this.#test(this.#attribute())] } }
    }
    return this.#test(attribute)
  }

  #test(attribute: string): ScimFilter {
    const { kind, text } = this.#next()
    const word = kind === 'word' ? text.toLowerCase() : ''
    if (word === 'pr') return { kind: 'present', attribute }
    const operator = operators.find((known) => known === word)
    if (!operator) return this.#refuse()
    return { kind: 'compare', attribute, operator, value: this.#value() }
  }

  #attribute(): string {
    const { kind, text } = this.#next()
    if (kind !== 'word' || !/^[a-z$][\w:.$-]*$/i.test(text)) this.#refuse()
    return attributeName(text)
  }

  #value(): ScimValue {
    const { kind, text } = this.#next()
    try {
      // Directories send True and False as well.
      const value = JSON.parse(kind === 'word' ? text.toLowerCase() : text) as unknown
      const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
      if (isPlain && !hasNul(value)) return value as ScimValue
    } catch {
      // Refused below, like everything else that is no value.
    }
    return this.#refuse()
  }

  #split(text: string): readonly Token[] {
    const tokens: Token[] = []
    let at = 0
    while (text.slice(at).trim() !== '') {
      tokenPattern.lastIndex = at
      const found = tokenPattern.exec(text)
      if (!found) return this.#refuse()
      at = tokenPattern.lastIndex
      const [kind, part] = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)!
      tokens.push(...(kind === 'word' ? wordsOf(part) : [{ kind: kind as Token['kind'], text: part }]))
    }
    return tokens
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #next(): Token {
    const token = this.#peek()
    this.#at += 1
    return token
  }

  #takes(text: string): boolean {
    const token = this.#peek()
    if (token.kind === 'text' || token.text.toLowerCase() !== text) return false
    this.#at += 1
    return true
  }

  #need(text: string): void {
    if (!this.#takes(text)) this.#refuse()
  }

  #refuse(): never {
    const what = this.#reason === 'invalidPath' ? 'path' : 'filter'
    throw new ApiError('VALIDATION_ERROR', { message: `The ${what} cannot be read`, reason: this.#reason })
  }
}

/** A part after a bracket begins with its dot: `].value`. */
function wordsOf(text: string): readonly Token[] {
  return text.startsWith('.')
    ? [{ kind: 'sign', text: '.' }, ...(text.length > 1 ? [{ kind: 'word' as const, text: text.slice(1) }] : [])]
    : [{ kind: 'word', text }]
}
