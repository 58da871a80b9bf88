import type { StatementLevel } from './statement-levels.ts'

/** A form that a database which is distributed over several machines refuses, and why. */
interface RefusedForm {
  readonly because: string
  /** Whether no statement of the product may have it any more. */
  readonly isKeptOut?: true
  isIn(level: StatementLevel): boolean
}

/** Functions whose value each machine would compute for itself. */
const changing = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid|uuidv7)\(\)/

const changes = /^\s*(?:with .*)?\b(?:insert into|update|delete from)\b/

const forms: readonly RefusedForm[] = [
  { because: 'a limit is a query', isIn: (level) => /\blimit \(§\)/.test(level) },
  {
    because: 'an insert returns what a query finds',
    isKeptOut: true,
    isIn: (level) => /\binsert into\b.*\breturning\b.*\(§\)/.test(level),
  },
  {
    because: 'a conflict is settled by a function whose value changes',
    isKeptOut: true,
    isIn: (level) => changing.test(/\bdo update set (?<set>.*)/.exec(level)?.groups?.['set'] ?? ''),
  },
  {
    because: 'a change decides by a function whose value changes',
    isKeptOut: true,
    isIn: (level) =>
      changes.test(level) && [...casesIn(level), ...argumentsOf(level, 'coalesce')].some((text) => changing.test(text)),
  },
  {
    because: 'rows of all workspaces are locked past those of others',
    isIn: (level) => /\bskip locked\b/.test(level) && !/\bworkspace_id = (?:any ?\()?\$\d/.test(level),
  },
]

/** Returns the form for which a distributed database refuses a level of a statement; undefined where it does not. */
export function refusedForm(level: StatementLevel): Pick<RefusedForm, 'because' | 'isKeptOut'> | undefined {
  return forms.find(({ isIn }) => isIn(level))
}

function casesIn(level: StatementLevel): readonly string[] {
  return level.match(/\bcase\b.*?\bend\b/g) ?? []
}

/** Returns the arguments of each call of a function. */
function argumentsOf(level: StatementLevel, name: string): readonly string[] {
  return [...level.matchAll(new RegExp(String.raw`\b${name}\(`, 'g'))].map((call) => {
    const start = call.index + call[0].length
    let open = 1
    let at = start
    for (; at < level.length && open > 0; at += 1) open += level[at] === '(' ? 1 : level[at] === ')' ? -1 : 0
    return level.slice(start, at)
  })
}
