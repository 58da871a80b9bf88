import { escapeLiteral } from 'pg'
import { clientOf, type Executor } from './transaction.ts'

/**
 * Returns the statements that give a setting a value for the transaction, also on the machine with the rows: a distributed database hands a
 * `SET LOCAL` on to it, and no set_config.
 */
export function settingLocally(name: string, value: string): string {
  return `SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL ${name} = ${escapeLiteral(value)}`
}

/** Gives a setting a value for the transaction, wherever its rows are. */
export async function setLocally(tx: Executor, name: string, value: string): Promise<void> {
  await clientOf(tx).query(settingLocally(name, value))
}
