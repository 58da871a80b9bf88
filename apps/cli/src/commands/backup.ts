import { productVersion } from '@crm/runtime'
import { inTransaction } from '@crm/db'
import { type Command, Option } from 'commander'
import { sql } from 'drizzle-orm'
import { createBackup, told } from '../backup/create.ts'
import { openBackup, openPlace } from '../backup/place.ts'
import { listed } from '../backup/listed.ts'
import { superfluous } from '../backup/prune.ts'
import { beginPause, handOnAgain } from '../backup/pause.ts'
import { restoreBackup } from '../backup/restore.ts'
import { noteVerified } from '../backup/note-verified.ts'
import { countWaiting, pausedSince, resume } from '../backup/resume.ts'
import { readManifest, verifyBackup } from '../backup/verify.ts'
import { readCount } from '../base/inputs.ts'
import { CommandError, waitsForTurn } from '../base/output.ts'
import type { Run } from '../base/run.ts'

/** `crm backup …`, `crm pause` and `crm resume`. */
export function addBackupCommands(program: Command, run: Run): void {
  const backup = program.command('backup').description('Backups of the database and of the contents of files')
  for (const add of [addCreate, addVerify, addList, addPrune, addRestore]) add(backup, run)
  for (const add of [addPause, addResume]) add(program, run)
}

function addCreate(backup: Command, run: Run): void {
  backup
    .command('create')
    .description('Write a backup while everything goes on')
    .requiredOption('--to <place>', 'a folder, or s3://BUCKET/PREFIX of the service that the S3 variables name')
    .action(
      run(async ({ to }: { to: string }, { config, databaseUrl, storage }) => {
        const place = openPlace(to, config)
        return timed(async () => {
          const source = { databaseUrl, storage: await storage(), version: productVersion }
          const manifest = await createBackup(source, place)
          return { ...told(manifest, place), ...(manifest.lost.length > 0 ? { lost: manifest.lost.length } : {}) }
        })
      }),
    )
}

function addVerify(backup: Command, run: Run): void {
  backup
    .command('verify')
    .argument('<path>', 'one backup')
    .description('Read all of a backup, and say where it first differs from what was written')
    .action(
      run(async (_options, { config, db }, path: string) => {
        const { place, id } = openBackup(path, config)
        return timed(async () => {
          const folder = await place.open(id)
          const size = await verifyBackup(folder, path)
          const { createdAt } = await readManifest(folder, path)
          // Metrics tell the age of the newest verified backup. A backup is also verified where no database is at hand.
          await noteVerified(db, createdAt).catch(() => undefined)
          return { verified: true, ...size }
        })
      }),
    )
}

function addList(backup: Command, run: Run): void {
  backup
    .command('list')
    .description('The backups of a place, newest last')
    .requiredOption('--at <place>', 'a folder, or s3://BUCKET/PREFIX')
    .action(run(async ({ at }: { at: string }, { config }) => listed(openPlace(at, config))))
}

function addPrune(backup: Command, run: Run): void {
  backup
    .command('prune')
    .description('Remove the backups that are not needed any more; the newest verified one always stays')
    .requiredOption('--at <place>', 'a folder, or s3://BUCKET/PREFIX')
    .option('--keep-daily <n>', 'the newest of so many days', '7')
    .option('--keep-weekly <n>', 'the newest of so many weeks', '5')
    .option('--keep-monthly <n>', 'the newest of so many months', '12')
    .action(
      run(async (options: Record<'at' | 'keepDaily' | 'keepWeekly' | 'keepMonthly', string>, { config }) => {
        const place = openPlace(options.at, config)
        const kept = {
          daily: readCount('--keep-daily', options.keepDaily),
          weekly: readCount('--keep-weekly', options.keepWeekly),
          monthly: readCount('--keep-monthly', options.keepMonthly),
        }
        const removed = superfluous(await listed(place), kept)
        for (const id of removed) await place.remove(id)
        return { removed }
      }),
    )
}

function addRestore(backup: Command, run: Run): void {
  backup
    .command('restore')
    .argument('<path>', 'one backup')
    .description('Load a backup into an empty database and storage; nothing is sent until `crm resume`')
    .option('--force', 'empty the database and the storage first')
    .action(
      run(
        async (
          { force = false }: { force?: boolean },
          { config, databaseUrl, storage, forgetRedis, tell },
          path: string,
        ) => {
          const { place, id } = openBackup(path, config)
          const folder = await place.open(id)
          const manifest = await readManifest(folder, path)
          return timed(async () => {
            const restored = await restoreBackup(folder, manifest, {
              databaseUrl,
              storage: await storage(),
              rolePasswords: config,
              force,
              onTurn: () => tell(waitsForTurn),
            })
            await forgetRedis()
            return { restored: manifest.id, ...restored, paused: true, bring: manifest.secrets }
          })
        },
      ),
    )
}

function addPause(program: Command, run: Run): void {
  program
    .command('pause')
    .description('Send nothing until `crm resume`: no mail, no request of a rule or workflow, no job')
    .option(
      '--recovered',
      'the database was brought back to an earlier time: forget what Redis knows of the later one, and begin waiting work anew',
    )
    .action(
      run(async ({ recovered = false }: { recovered?: boolean }, { db, forgetRedis }) => {
        await inTransaction(db, undefined, async (tx) => {
          if (recovered) await tx.execute(sql.raw(handOnAgain))
          await tx.execute(sql.raw(beginPause))
        })
        if (recovered) await forgetRedis()
        return { pausedSince: await pausedSince(db), ...(await countWaiting(db)) }
      }),
    )
}

function addResume(program: Command, run: Run): void {
  program
    .command('resume')
    .description('End the pause; without an option it says how much waits')
    .addOption(new Option('--send-outbox', 'send what waited when the backup was made').conflicts('dropOutbox'))
    .option('--drop-outbox', 'never send it: somebody else has done so, or nobody should')
    .action(
      run(async ({ sendOutbox, dropOutbox }: { sendOutbox?: true; dropOutbox?: true }, { db }) => {
        const since = await pausedSince(db)
        if (since === null) throw new CommandError('The installation is not paused')
        if (!sendOutbox && !dropOutbox) return { pausedSince: since, ...(await countWaiting(db)) }
        return { resumed: true, [dropOutbox ? 'dropped' : 'sent']: await resume(db, dropOutbox === true) }
      }),
    )
}

async function timed<T extends object>(work: () => Promise<T>): Promise<T & { seconds: number }> {
  const startedAt = performance.now()
  const outcome = await work()
  return { ...outcome, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
}
