import { migrate, MigrationRefusedError } from '@crm/db'
import type { Command } from 'commander'
import { generatedKinds, generateRecords, type GeneratedKind } from '../demo/generate.ts'
import { seedDemo } from '../demo/seed-demo.ts'
import { welcomeText } from '../demo/welcome.ts'
import { readCount } from '../base/inputs.ts'
import { findOffences, toldOffences } from '../base/distributable.ts'
import { distributeOver, readNode, toldDistribution } from './distribution.ts'
import { requireWorkspace } from '../base/lookups.ts'
import { grantRightsOrTell, rolesWithSharedPassword, sharedPasswordRemedy, sharedPasswordSentence } from '../rights.ts'
import type { Run } from '../base/run.ts'
import { CommandError, waitsForTurn } from '../base/output.ts'

/** `crm db …` */
export function addDatabaseCommands(program: Command, run: Run): void {
  const database = program.command('db').description('The database')

  database
    .command('migrate')
    .description('Bring the database up to date, and grant every deployable its tables')
    .option('--contract', 'also remove what only earlier versions use; refused while one of them runs')
    .action(
      run(async ({ contract }: { contract?: true }, { databaseUrl, pool, config, tell }) => {
        const onWait = (tag: string, tried: number): void =>
          tell(`${tag} waits for a lock; it was tried ${tried} times`)
        const onTurn = (): void => tell(waitsForTurn)
        await migrate(databaseUrl, { contract: contract === true, onWait, onTurn }).catch((error: unknown) => {
          throw error instanceof MigrationRefusedError ? new CommandError(error.message) : error
        })
        await grantRightsOrTell(pool, config)
        const shared = rolesWithSharedPassword(config)
        if (shared.length > 0) tell(`${sharedPasswordSentence(shared)} ${sharedPasswordRemedy}`)
        return { migrated: true }
      }),
    )

  database
    .command('distributable')
    .description(
      'Say what keeps the tables from being distributed by workspace, one line each; exit code 1 when something does',
    )
    .action(
      run(
        (_options, { pool }) => findOffences(pool),
        toldOffences,
        (found) => (found.length > 0 ? 1 : 0),
      ),
    )

  database
    .command('distribute')
    .description(
      'Distribute the tables by workspace over machines with Citus, or go on with it; nothing else may run meanwhile',
    )
    .requiredOption('--workers <host:port,…>', 'the machines that hold the rows')
    .option('--coordinator <host:port>', 'where they reach this database; the address of DATABASE_URL by default')
    .action(
      run(
        ({ workers, coordinator }: { workers: string; coordinator?: string }, connection) =>
          distributeOver(connection, {
            workers: workers.split(',').map((text) => readNode('--workers', text)),
            coordinator: coordinator === undefined ? undefined : readNode('--coordinator', coordinator),
          }),
        toldDistribution,
      ),
    )

  database
    .command('seed-demo')
    .description('Create the demo workspace, or renew what demo.json says of it')
    .action(run((_options, connection) => seedDemo(connection), welcomeText))

  const generate = database
    .command('generate')
    .description('Write many records fast, for load tests')
    .requiredOption('--workspace <slug>', 'the workspace')
  for (const kind of generatedKinds) generate.option(`--${kind} <n>`, `how many ${kind}`)
  generate.action(
    run(
      async (
        { workspace, ...wanted }: { workspace: string } & Partial<Record<GeneratedKind, string>>,
        { db, pool },
      ) => {
        const { id } = await requireWorkspace(db, workspace)
        const numbers = generatedKinds.flatMap((kind) =>
          wanted[kind] === undefined ? [] : [[kind, readCount(`--${kind}`, wanted[kind])] as const],
        )
        if (numbers.length === 0)
          throw new CommandError(`Say how many of which: ${generatedKinds.map((kind) => `--${kind} <n>`).join(', ')}`)
        const written: Partial<Record<GeneratedKind | 'seconds', number>> = { seconds: 0 }
        for (const [kind, count] of numbers) {
          const { records, seconds } = await generateRecords(db, pool, id, kind, count)
          written[kind] = records
          written.seconds = (written.seconds ?? 0) + seconds
        }
        return written
      },
    ),
  )
}
