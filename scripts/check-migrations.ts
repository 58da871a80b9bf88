// The version before runs on the schema of the next one, so a migration only adds to it; one marked `-- contract` may remove.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Migrations of before the first release; every installation that needs them stops for them. */
const uncheckedUntil = 9

interface Rule {
  readonly pattern: RegExp
  readonly says: string
  /** Whether the rule spares a table that the same migration creates, because nobody uses it yet; the pattern names it `table`. */
  readonly sparesNew?: true
}

const name = String.raw`(?:"?public"?\.)?"?(?<table>\w+)"?`
const alter = String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?${name}\s[^;]*?`

const rules: readonly Rule[] = [
  { pattern: /\bRENAME\b/i, says: 'renames; add the new name beside the old one' },
  {
    pattern: /\bDROP\s+(?!NOT\s+NULL\b|EXPRESSION\b)\w+/i,
    says: 'drops; do it in a migration that begins with `-- contract`',
  },
  { pattern: /\b(?:TRUNCATE|DELETE\s+FROM)\b/i, says: 'deletes rows; make it a backfill' },
  {
    // A workspace has a handful of roles, and the version before ignores permissions that it does not know.
    pattern: /(?<!\bFOR\s|\bON\s|\bDO\s|\bNO\s+KEY\s)\bUPDATE\s+(?:ONLY\s+)?(?!"?roles"?\s)"?\w+"?(?:\s+\w+)?\s+SET\b/i,
    says: 'changes rows in one statement; make it a backfill',
  },
  {
    pattern: new RegExp(String.raw`${alter}\bSET\s+NOT\s+NULL\b`, 'i'),
    says: 'narrows a column; the version before may still write null',
    sparesNew: true,
  },
  {
    pattern: new RegExp(String.raw`${alter}\b(?:SET\s+DATA\s+TYPE|ALTER\s+(?:COLUMN\s+)?"?\w+"?\s+TYPE)\b`, 'i'),
    says: 'rewrites a column; add another one',
    sparesNew: true,
  },
  {
    pattern: new RegExp(
      String.raw`${alter}\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT\b)"?\w+"?\s(?![^;]*\bDEFAULT\b)(?![^;]*\bGENERATED\b)[^;]*\bNOT\s+NULL\b`,
      'i',
    ),
    says: 'adds a column that the version before does not fill; give it a constant default or let it be null',
    sparesNew: true,
  },
  {
    pattern: new RegExp(
      String.raw`${alter}\bADD\s+(?:COLUMN\s+)?[^;]*(?:\bDEFAULT\s+\(?(?:now|clock_timestamp|random|gen_random_uuid|uuidv7|nextval)\b|\bSTORED\b|\b(?:small|big)?serial\b)`,
      'i',
    ),
    says: 'rewrites the table; let the column be null and fill it by a backfill',
    sparesNew: true,
  },
  {
    pattern: new RegExp(
      String.raw`${alter}\bADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:CHECK|FOREIGN\s+KEY)\b(?![^;]*\bNOT\s+VALID\b)`,
      'i',
    ),
    says: 'checks every row under a lock; add it NOT VALID and validate it in a later migration',
    sparesNew: true,
  },
  {
    pattern: new RegExp(
      String.raw`${alter}\bADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b(?![^;]*\bUSING\s+INDEX\b)`,
      'i',
    ),
    says: 'builds an index under a lock; build it concurrently first and add the constraint USING INDEX',
    sparesNew: true,
  },
  {
    pattern: new RegExp(
      String.raw`\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY\b)[^;]*?\bON\s+(?:ONLY\s+)?${name}`,
      'i',
    ),
    says: 'builds an index under a lock; write CREATE INDEX CONCURRENTLY IF NOT EXISTS in a migration of its own',
    sparesNew: true,
  },
  {
    pattern: /\bINDEX\s+CONCURRENTLY\s+(?!IF\s+NOT\s+EXISTS\b)/i,
    says: 'cannot go on after an interruption; write CONCURRENTLY IF NOT EXISTS',
  },
  { pattern: /\b(?:VACUUM\s+FULL|CLUSTER|SET\s+TABLESPACE|SET\s+(?:UN)?LOGGED)\b/i, says: 'rewrites a table' },
]

/** Returns a sentence for each statement of a migration that the version before could not live with, and for each snapshot that is in the way. */
export function findMigrationBreaches(root: string): string[] {
  const inTheWay = olderSnapshots(root).map(
    (path) =>
      `${path} is older than the newest snapshot, the only one that is needed: delete it, as npm run migration does.`,
  )
  const statements = globSync('packages/db/migrations/*.sql', { cwd: root })
    .filter((path) => Number(/(\d+)_[^/]*$/.exec(path)?.[1]) > uncheckedUntil)
    .toSorted()
    .flatMap((path) => checkMigration(path, readFileSync(join(root, path), 'utf8')))
  return [...inTheWay, ...statements]
}

/** Returns the paths of all snapshots of the schema but the newest, from which the next migration is written. */
export function olderSnapshots(root: string): string[] {
  return globSync('packages/db/migrations/meta/*_snapshot.json', { cwd: root }).toSorted().slice(0, -1)
}

/** Checks the text of one migration. */
export function checkMigration(path: string, text: string): string[] {
  if (/^-- contract\b/m.test(text)) return []
  const statements = statementsOf(text)
  const created = new Set(
    statements.flatMap(
      ({ sql }) =>
        new RegExp(String.raw`\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?${name}`, 'i').exec(sql)?.groups?.['table'] ??
        [],
    ),
  )
  const breaches = statements.flatMap(({ sql, line }) =>
    rules.flatMap(({ pattern, says, sparesNew }) => {
      const found = pattern.exec(sql)
      if (!found || (sparesNew && created.has(found.groups?.['table'] ?? ''))) return []
      // The name of the table comes before the offending words, so the line is that of the end of the match.
      return [`${path}:${line + linesIn(sql.slice(0, found.index + found[0].length))} ${says}.`]
    }),
  )
  const concurrent = statements.filter(({ sql }) => /\bINDEX\s+CONCURRENTLY\b/i.test(sql))
  const other = statements.find((statement) => !concurrent.includes(statement))
  if (concurrent.length > 0 && other)
    breaches.push(
      `${path}:${other.line} stands beside CREATE INDEX CONCURRENTLY, which runs in no transaction; write a migration of its own.`,
    )
  return breaches
}

interface SqlStatement {
  readonly sql: string
  /** The line of its first character, from 1. */
  readonly line: number
}

/** Splits a migration into statements; comments, texts and the bodies of functions are blanked, so that a rule sees only what runs. */
function statementsOf(text: string): readonly SqlStatement[] {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ')
  const seen = text
    .replaceAll(/--[^\n]*/g, blank)
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/'(?:[^']|'')*'/g, blank)
    // What DO holds runs at once; what a function holds does not.
    .replaceAll(/(\bDO\s+)?(\$\w*\$)[\s\S]*?\2/gi, (found: string, runs: string | undefined) =>
      runs === undefined ? blank(found) : found.replaceAll(';', ' '),
    )
  const statements: SqlStatement[] = []
  let at = 0
  for (const part of seen.split(';')) {
    const start = at + part.length - part.trimStart().length
    if (part.trim() !== '') statements.push({ sql: part.trim(), line: 1 + linesIn(seen.slice(0, start)) })
    at += part.length + 1
  }
  return statements
}

const linesIn = (text: string): number => text.split('\n').length - 1
