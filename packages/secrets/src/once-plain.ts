import { clientOf, olderProcesses, readMigrations, type Executor } from '@crm/db'
import { mapHeaderValues } from './header-values.ts'
import { isSealed, type SecretPlace, type Secrets } from './secrets.ts'

/** The migration since which every version can open sealed values. */
const sealingMigration = /_add_data_keys$/

/** Whether a process runs that can read plain values only. */
export async function isPlainReader(db: Executor): Promise<boolean> {
  const since = (await readMigrations()).find(({ tag }) => sealingMigration.test(tag))?.when ?? 0
  return (await olderProcesses(clientOf(db), since)).length > 0
}

/** Whether a value that earlier versions wrote plain stays plain for now. */
export async function staysPlain(secrets: Secrets, db: Executor): Promise<boolean> {
  return !secrets.canSeal || (await isPlainReader(db))
}

/** Seals a value of a column that earlier versions wrote plain; while such a version runs, the value stays plain for it. */
export async function sealOncePlain(
  secrets: Secrets,
  db: Executor,
  place: SecretPlace,
  plain: string,
): Promise<string> {
  return (await staysPlain(secrets, db)) ? plain : secrets.seal(db, place, plain)
}

/** Opens a value of a column that earlier versions wrote plain. Fails with SecretUnreadableError. */
export async function openOncePlain(
  secrets: Secrets,
  db: Executor,
  place: SecretPlace,
  stored: string,
): Promise<string> {
  return isSealed(stored) ? secrets.open(db, place, stored) : stored
}

/** Seals the values of headers in automation that is to be stored; values that are sealed already stay as they are. */
export async function sealHeaders<T>(secrets: Secrets, db: Executor, place: SecretPlace, automation: T): Promise<T> {
  let isPlain: boolean | undefined
  return mapHeaderValues(automation, async (value) => {
    isPlain ??= await staysPlain(secrets, db)
    return isPlain || isSealed(value) ? value : secrets.seal(db, place, value)
  })
}

/** Opens the values of headers in stored automation. Fails with SecretUnreadableError. */
export function openHeaders<T>(secrets: Secrets, db: Executor, place: SecretPlace, stored: T): Promise<T> {
  return mapHeaderValues(stored, (value) => openOncePlain(secrets, db, place, value))
}

/** The words of a delivery whose headers could not be opened. */
export const unreadableHeaders =
  'The values of the headers cannot be read. Give them anew, or ask the operator of the installation about its keys.'

/** The place of the values of headers of an automation rule, in the rule and in all copies of its requests. */
export function ruleHeaders(workspaceId: string, ruleId: string): SecretPlace {
  return { workspaceId, table: 'automation_rules', column: 'actions', row: ruleId }
}

/** The place of the values of headers of a workflow, in its draft, its versions and all copies of their requests. */
export function workflowHeaders(workspaceId: string, workflowId: string): SecretPlace {
  return { workspaceId, table: 'workflows', column: 'steps', row: workflowId }
}

/** The place of the address of a subscribed calendar. */
export function calendarUrl(workspaceId: string, subscriptionId: string): SecretPlace {
  return { workspaceId, table: 'calendar_subscriptions', column: 'url', row: subscriptionId }
}
