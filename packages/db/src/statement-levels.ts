/**
 * A SELECT, an INSERT, an UPDATE or a DELETE of a statement, alone: those inside it are levels of their own and stand in it as `(§)`, and so
 * do texts.
 */
export type StatementLevel = string

const beginsLevel = /^\s*(?:select|with|insert|update|delete)\b/
const unions = /\b(?:union(?: all)?|intersect|except)\b/

/** Returns the levels of a statement in lower case, the inner ones first. */
export function levelsOf(statement: string): readonly StatementLevel[] {
  const levels: StatementLevel[] = []
  const open = ['']
  const append = (text: string): void => void open.push(open.pop() + text)
  for (const part of statement.replaceAll(/'(?:[^']|'')*'/g, '§').split(/([()])/)) {
    if (part === '(') open.push('')
    else if (part !== ')' || open.length === 1) append(part)
    else {
      const inner = open.pop()!
      const isLevel = beginsLevel.test(inner)
      if (isLevel) levels.push(...inner.split(unions))
      append(isLevel ? '(§)' : `(${inner})`)
    }
  }
  return [...levels, ...open.join('(').split(unions)]
}

/** A table of a level, under the name by which its columns are called there. */
export interface UsedTable {
  readonly verb: string
  readonly table: string
  readonly name: string
}

const table = String.raw`(?:only )?\w+(?![\w.(])(?: (?:as )?\w+)?`
const uses = new RegExp(
  String.raw`\b(?<verb>insert into|from|join|update|using) (?<tables>${table}(?:, ${table})*)`,
  'g',
)
const wordsAfterTable = new Set(
  'where on join left right inner cross full order group limit for set values using union select returning default offset natural having with'.split(
    ' ',
  ),
)

/** Returns the tables that a level reads or writes, in the order of their places. */
export function tablesIn(level: StatementLevel): readonly UsedTable[] {
  return [...level.matchAll(uses)].flatMap(({ groups: { verb = '', tables = '' } = {} }) =>
    tables.split(', ').map((each) => {
      const [first = '', second = ''] = each.replaceAll(/\b(?:only|as) /g, '').split(' ')
      return { verb, table: first, name: second === '' || wordsAfterTable.has(second) ? first : second }
    }),
  )
}

/**
 * A comparison of a column: the name of its table, and that of the table with whose column it is compared; null for a parameter, for
 * another query and for what stands around the level.
 */
export type Comparison = readonly [string, string | null]

type Pair = readonly [string, string]

const operand = String.raw`(?:\w+\.)?\w+|\$\d+|\(`
const equal = new RegExp(String.raw`(?<![\w.$])(${operand}) (?:=|in\b|is not distinct from\b) ?(${operand})`, 'g')
const rows = /\(([^()]*)\) (?:=|in) ?(?:any ?)?\(([^()]*)\)/g
const joins = /\busing ?\(([^()]*)\)/g

/** Returns what a column of some tables is compared with in a level, whatever side it stands on, and as a part of a row too. */
export function comparisonsOf(column: string, level: StatementLevel, names: readonly string[]): readonly Comparison[] {
  const text = level
    .replaceAll(/::\w+(?:\[\])?/g, '')
    .replaceAll(new RegExp(String.raw`\(((?:\w+\.)?${column})\)`, 'g'), '$1')
  const pairs = [
    ...[...text.matchAll(equal)].map(([, left = '', right = '']): Pair => [left, right]),
    ...[...text.matchAll(rows)].flatMap(([, left = '', right = '']) => pairsOf(left.split(', '), right.split(', '))),
    ...[...text.matchAll(joins)].flatMap(([, shared = '']) =>
      shared.split(', ').includes(column)
        ? names.map((name): Pair => [`${names[0]}.${column}`, `${name}.${column}`]).slice(1)
        : [],
    ),
  ]
  return pairs.flatMap(([left, right]): Comparison[] => {
    const [one, other] = [ownerOf(left, column, names), ownerOf(right, column, names)]
    return [...(one === null ? [] : [[one, other] as const]), ...(other === null ? [] : [[other, one] as const])]
  })
}

/** Returns the table of a column with that name; without the name of a table it is one of this level, and not of one around it. */
function ownerOf(side: string, column: string, names: readonly string[]): string | null {
  if (side === column) return names[0] ?? null
  return names.find((name) => side === `${name}.${column}`) ?? null
}

/** Pairs the parts of two rows; a query stands for each part. */
function pairsOf(left: readonly string[], right: readonly string[]): readonly Pair[] {
  return left.map((side, at): Pair => [side.trim(), right.length === left.length ? right[at]!.trim() : '§'])
}
