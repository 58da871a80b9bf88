import { loadConfig } from '@crm/runtime'
import { Command, CommanderError } from 'commander'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addBookingLinkCommands } from './commands/booking-link.ts'
import { addDatabaseCommands } from './commands/db.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addFilesCommands } from './commands/files.ts'
import { addKeyCommands } from './commands/key.ts'
import { addSecretsCommands } from './commands/secrets.ts'
import { addSignInCommands } from './commands/sign-in.ts'
import { addUserCommands } from './commands/user.ts'
import { addWorkspaceCommands } from './commands/workspace.ts'
import { cliConfig, type CliConfig } from './config.ts'
import { withConnection } from './base/connection.ts'
import { causeOf, CommandError, forPeople, type Terminal } from './base/output.ts'
import type { Print, Run } from './base/run.ts'

/** Runs one command, such as `['workspace', 'list', '--json']`, and returns its exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0
  const program = new Command('crm')
    .description('Administration of a workspace-crm installation')
    .option('--json', 'print exactly one JSON document')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  const readConfig = (): CliConfig => loadConfig(cliConfig, terminal.environment, { servesPeople: false })
  const print: Print = (outcome, command, toText = forPeople) => {
    const { json } = command.optsWithGlobals<{ json?: boolean }>()
    terminal.out(`${json === true ? JSON.stringify(outcome) : toText(outcome)}\n`)
  }
  const run: Run =
    (work, toText, codeOf) =>
    async (...given) => {
      const command = given.at(-1) as Command
      const outcome = await withConnection(readConfig(), terminal, (connection) =>
        work(command.opts(), connection, ...(given.slice(0, -2) as never[])),
      )
      exitCode = codeOf?.(outcome) ?? 0
      print(outcome, command, toText)
    }

  addDemoCommand(program, print, () => readConfig().DATA_DIR)
  for (const add of [
    addWorkspaceCommands,
    addUserCommands,
    addKeyCommands,
    addSignInCommands,
    addBookingLinkCommands,
    addDatabaseCommands,
    addBackupCommands,
    addFilesCommands,
    addSecretsCommands,
    addAuditCommands,
    addDoctorCommand,
  ])
    add(program, run)
  for (const command of allCommands(program)) command.option('--json', 'print exactly one JSON document')

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has said what is wrong, or has explained the command.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    terminal.err(`${error instanceof CommandError ? error.message : `The command failed: ${causeOf(error)}`}\n`)
    return 1
  }
}

function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((child) => [child, ...allCommands(child)])
}
