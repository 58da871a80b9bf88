import { wordSearch } from './word-search.ts'

/** A task for the console instead of a tool, and its place there. */
export interface Elsewhere {
  readonly topic: string
  /** The path below the address of the workspace. */
  readonly path: string
}

const places = [
  {
    topic: 'Automation: workflows that run steps when something happens',
    path: '/automation',
    words: 'workflow rule automation automate trigger webhook notify',
  },
  {
    topic: 'Accounts of people',
    path: '/settings/people',
    words: 'user account invite invitation employee suspend password',
  },
  { topic: 'Roles and rights', path: '/settings/roles', words: 'role right permission access level' },
  { topic: 'Departments', path: '/settings/departments', words: 'department team' },
  { topic: 'API keys', path: '/settings/api-keys', words: 'api key token credential secret scope' },
  { topic: 'Connected clients', path: '/settings/ai-clients', words: 'connection oauth connect disconnect revoke' },
  { topic: 'Custom fields', path: '/settings/fields', words: 'custom field attribute property' },
  { topic: 'Record types of your own', path: '/settings/custom-entities', words: 'custom entity object type' },
  {
    topic: 'The workspace: name, currency, time zone, modules',
    path: '/settings/general',
    words: 'workspace setting currency timezone zone language module merging week',
  },
  { topic: 'Booking links and meetings', path: '/booking/links', words: 'booking link availability slot calendar' },
  { topic: 'Imports and exports', path: '/settings/imports', words: 'import export csv spreadsheet excel' },
  { topic: 'Deleted records', path: '/settings/trash', words: 'deleted restore undelete recover trash' },
  { topic: 'The audit log', path: '/settings/audit-log', words: 'audit log security' },
  { topic: 'Conversations and channels', path: '/conversations', words: 'conversation channel chat inbox' },
] as const

const find = wordSearch(places.map(({ topic, path, words }) => ({ topic, path, texts: [words, topic] })))
const shownMax = 2

/** Returns the places of the console that a question concerns, the best first, and how many of its words the best one has. */
export function elsewhereFor(query: string): { readonly places: readonly Elsewhere[]; readonly named: number } {
  const found = find(query).filter(({ named }) => named > 0)
  const best = found[0]
  if (!best) return { places: [], named: 0 }
  return {
    places: found
      .filter(({ score }) => score >= best.score / 2)
      .slice(0, shownMax)
      .map(({ found: { topic, path } }) => ({ topic, path })),
    named: best.named,
  }
}

/** The paths of all these places in the console. */
export const consolePaths: readonly string[] = places.map(({ path }) => path)
