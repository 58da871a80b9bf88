import { Command } from 'commander'
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
import { loadConfig } from '@crm/runtime'
import { cliConfig } from './config.ts'
import { withConnection } from './connection.ts'
import type { Run } from './run.ts'
import { causeOf, CommandError, print } from './output.ts'

const program = new Command('crm')
  .description('Administration of a workspace-crm installation')
  .option('--json', 'print exactly one JSON document')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 1))

const run: Run =
  (work, toText) =>
  async (...given) => {
    const command = given.at(-1) as Command
    const args = given.slice(0, -2) as never[]
    const config = loadConfig(cliConfig, process.env, { servesPeople: false })
    const outcome = await withConnection(config, process.env, (connection) => work(command.opts(), connection, ...args))
    print(outcome, command.optsWithGlobals<{ json?: boolean }>().json === true, toText)
  }

addDemoCommand(program, () => loadConfig(cliConfig, process.env, { servesPeople: false }).DATA_DIR)
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

function allCommands(parent: Command): Command[] {
  return parent.commands.flatMap((child) => [child, ...allCommands(child)])
}

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof CommandError ? error.message : `The command failed: ${causeOf(error)}`}\n`)
  process.exitCode = 1
}
