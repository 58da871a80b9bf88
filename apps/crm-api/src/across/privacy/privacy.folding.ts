import { sql, type SQL } from 'drizzle-orm'

const lastCodePoint = 0x10_ff_ff
let marks: string | undefined

/** Returns SQL for a text in the spelling of `folded`; rather than less, it finds a little more. */
export function foldedInSql(text: SQL): SQL {
  const plain = (value: SQL): SQL => sql`lower(casefold(${value} COLLATE "pg_unicode_fast"))`
  // The marks go first: case folding makes a letter of one of them.
  const bare = sql`regexp_replace(normalize(${text}, NFKD), ${markClass()}, '', 'g')`
  return sql`CASE WHEN octet_length(${text}) = length(${text}) THEN ${plain(text)} ELSE translate(${plain(bare)}, 'ı', 'i') END`
}

/** Returns PostgreSQL's class of all marks that stand above, below or around letters: it knows no such class by name. */
function markClass(): string {
  return (marks ??= `[${rangesOfMarks()
    .map(([from, to]) => `${escapedPoint(from)}-${escapedPoint(to)}`)
    .join('')}]`)
}

function rangesOfMarks(): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = []
  for (let point = 0; point <= lastCodePoint; point += 1) {
    if (!/^\p{M}$/u.test(String.fromCodePoint(point))) continue
    const last = ranges.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  return ranges
}

function escapedPoint(point: number): string {
  return String.raw`\U${point.toString(16).padStart(8, '0')}`
}
