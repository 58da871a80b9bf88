import type { StatementLevel } from './statement-levels.ts'

/** A form that a database which is distributed over several machines refuses, and why. */
interface RefusedForm {
  readonly because: string
  isIn(level: StatementLevel): boolean
}

/** Functions whose value each machine would compute for itself. */
const changing = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid|uuidv7)\(\)/

/** What depends on settings of the session, such as the time zone. */
const settled =
  /\binterval\b|\b(?:jsonb?_build_object|jsonb?_build_array|to_jsonb?|to_char|concat|concat_ws|array_to_string|extract)\(/

const column = /(?<![\w$.])[a-z]\w*\.[a-z]\w*/

const changes = /^\s*(?:with .*)?\b(?:insert into|update|delete from)\b/

const forms: readonly RefusedForm[] = [
  {
    because: 'a limit is a query, and the rows are of all workspaces',
    isIn: (level) => /\blimit \(§\)/.test(level) && !/\bworkspace_id = (?:\$\d|\(§\))/.test(level),
  },
  {
    because: 'an insert returns what a query finds',
    isIn: (level) => /\binsert into\b.*\breturning\b.*\(§\)/.test(level),
  },
  {
    because: 'a conflict is settled by a function whose value changes',
    isIn: (level) => changing.test(/\bdo update set (?<set>.*)/.exec(level)?.groups?.['set'] ?? ''),
  },
  {
    because: 'a change decides by a function whose value changes',
    isIn: (level) =>
      changes.test(level) && [...casesIn(level), ...argumentsOf(level, 'coalesce')].some((text) => changing.test(text)),
  },
  {
    because: 'a change computes from a column what depends on settings of the session',
    isIn: (level) => assignmentsIn(level).some((text) => settled.test(text) && column.test(text)),
  },
  {
    because: 'rows of all workspaces are locked',
    isIn: (level) =>
      /\bfor (?:no key update|update|key share|share)\b/.test(level) &&
      !/\bworkspace_id = (?:any ?\()?\$\d|\$\d(?:::uuid)? = (?:\w+\.)?workspace_id\b/.test(level),
  },
  {
    because: 'a query for each workspace stands beside a list, or beside the table of which every machine has a copy',
    isIn: (level) =>
      /\bfrom (?:workspaces\b|unnest ?\([^)]*\) (?:as )?\w+ ?\(workspace_id\b)(?:(?!\bgroup by\b).)*\blateral \(§\)/.test(
        level,
      ),
  },
  {
    because: 'a change of rows that a query found does not name their workspace',
    isIn: (level) =>
      /\bupdate \w+ (?:as )?(?:\w+ )?set\b.*\bfrom \(§\)/.test(level) && !/\bworkspace_id = (?:\$\d|\(§\))/.test(level),
  },
  {
    because: 'a change chooses by a CASE of an expression',
    isIn: (level) => changes.test(level) && /\bcase (?!when\b)/.test(level),
  },
  { because: 'a row is named by its place', isIn: (level) => /\bctid\b/.test(level) },
]

/** Returns why a distributed database refuses a level of a statement; undefined where it does not. */
export function refusedForm(level: StatementLevel): Pick<RefusedForm, 'because'> | undefined {
  return forms.find(({ isIn }) => isIn(level))
}

/** Returns the values that an UPDATE, or the settlement of a conflict, assigns to columns. */
function assignmentsIn(level: StatementLevel): readonly string[] {
  if (!changes.test(level)) return []
  const set = /\bset (?<set>.*?)(?: from | where | returning |$)/.exec(level)?.groups?.['set'] ?? ''
  let open = 0
  const parts = ['']
  for (const letter of set) {
    if (letter === '(') open += 1
    if (letter === ')') open -= 1
    if (letter === ',' && open === 0) parts.push('')
    else parts.push(parts.pop() + letter)
  }
  return parts.map((part) => part.slice(part.indexOf('=') + 1))
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
