import { Command } from 'commander'
import { addBookingLinkCommands } from './commands/booking-link.ts'
import { addDatabaseCommands } from './commands/db.ts'
import { addKeyCommands } from './commands/key.ts'
import { addUserCommands } from './commands/user.ts'
import { addWorkspaceCommands } from './commands/workspace.ts'
import { withConnection, type Connection } from './connection.ts'
import { CommandError, print } from './output.ts'

type Work<Options, Args extends unknown[]> = (options: Options, connection: Connection, ...args: Args) => Promise<unknown>

/** Makes a command's action: connects, works, prints the outcome. */
export type Run = <Options, Args extends unknown[]>(work: Work<Options, Args>) => (...given: unknown[]) => Promise<void>

const program = new Command('crm')
  .description('Administration of a workspace-crm installation')
  .option('--json', 'print exactly one JSON document')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 1))

const run: Run = (work) => async (...given) => {
  const command = given.at(-1) as Command
  const args = given.slice(0, -2) as Parameters<typeof work> extends [unknown, unknown, ...infer Rest] ? Rest : never
  const outcome = await withConnection((connection) => work(command.opts() as never, connection, ...(args as never)))
  print(outcome, command.optsWithGlobals<{ json?: boolean }>().json === true)
}

for (const add of [addWorkspaceCommands, addUserCommands, addKeyCommands, addBookingLinkCommands, addDatabaseCommands]) add(program, run)
for (const command of allCommands(program)) command.option('--json', 'print exactly one JSON document')

function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((child) => [child, ...allCommands(child)])
}

try {
  await program.parseAsync()
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${error instanceof CommandError ? message : `The command failed: ${message}`}\n`)
  process.exitCode = 1
}
