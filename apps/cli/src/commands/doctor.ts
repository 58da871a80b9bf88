import { readBackupAge } from '@crm/db'
import type { Command } from 'commander'
import { listed } from '../backup/listed.ts'
import { openPlace } from '../backup/place.ts'
import { lookAtDatabase } from '../doctor/database.ts'
import { lookAtPeople } from '../doctor/people.ts'
import { lookAtPooler } from '../doctor/pooler.ts'
import { lookAtReplicas } from '../doctor/replicas.ts'
import { lookAtSecrets } from '../doctor/secrets.ts'
import { lookAtWork } from '../doctor/work.ts'
import { lookAtZones } from '../doctor/zones.ts'
import { examine, told, type Look } from '../doctor/finding.ts'
import {
  judgeBackupAge,
  judgeBackups,
  lookAtAddress,
  lookAtMail,
  lookAtRedis,
  lookAtSettings,
  lookAtStorage,
} from '../doctor/others.ts'
import type { Run } from '../base/run.ts'

/** `crm doctor` */
export function addDoctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('Say what of the installation is well, what is not, and what to do; exit code 1 when something fails')
    .option(
      '--backups <place>',
      'where backups are kept: a folder, or s3://BUCKET/PREFIX; without it, the note of the last verified backup counts',
    )
    .action(
      run(
        async (
          { backups }: { backups?: string },
          { pool, databaseUrl, redis, storage, baseUrl, config, environment, keyWrapper, db },
        ) => {
          const looks: Look[] = [
            {
              area: 'settings',
              remedy: 'Look at the environment.',
              look: async () => lookAtSettings(environment, config),
            },
            { area: 'database', remedy: 'Look at DATABASE_URL.', look: () => lookAtDatabase(pool) },
            {
              area: 'pooler',
              remedy: 'Look at DATABASE_URL and DATABASE_DIRECT_URL.',
              look: () =>
                lookAtPooler({
                  databaseUrl: config.DATABASE_URL ?? databaseUrl,
                  directUrl: config.DATABASE_DIRECT_URL,
                  prepares: config.DATABASE_PREPARE,
                }),
            },
            {
              area: 'replica',
              remedy: 'Look at DATABASE_REPLICA_URL.',
              look: () => lookAtReplicas(pool, config.DATABASE_REPLICA_URL),
            },
            { area: 'work', remedy: 'Run crm db migrate.', look: () => lookAtWork(pool) },
            { area: 'zones', remedy: 'Run crm db migrate.', look: () => lookAtZones(pool, environment) },
            { area: 'secrets', remedy: 'Look at SECRETS_KEY.', look: () => lookAtSecrets(db, keyWrapper) },
            { area: 'people', remedy: 'Run crm db migrate.', look: () => lookAtPeople(db) },
            { area: 'redis', remedy: 'Look at REDIS_URL.', look: () => lookAtRedis(redis) },
            {
              area: 'files',
              remedy: 'Look at DATA_DIR or the S3 variables.',
              look: async () => lookAtStorage(await storage()),
            },
            { area: 'mail', remedy: 'Look at SMTP_URL.', look: () => lookAtMail(config.SMTP_URL) },
            { area: 'address', remedy: 'Look at BASE_URL and at the edge.', look: () => lookAtAddress(baseUrl) },
          ]
          looks.push(
            backups === undefined
              ? {
                  area: 'backup',
                  remedy: 'Look at DATABASE_URL.',
                  look: async () => [judgeBackupAge(await readBackupAge(pool))],
                }
              : {
                  area: 'backup',
                  remedy: 'Look at the place of backups.',
                  look: async () => [judgeBackups(await listed(openPlace(backups, config)), Date.now())],
                },
          )
          return examine(looks)
        },
        told,
        (findings) => (findings.some(({ level }) => level === 'fail') ? 1 : 0),
      ),
    )
}
