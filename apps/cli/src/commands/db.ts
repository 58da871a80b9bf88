import { migrate, type Pool } from '@crm/db'
import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { generateLeads } from '../demo/generate.ts'
import { seedDemo } from '../demo/seed-demo.ts'
import { requireWorkspace } from '../lookups.ts'
import type { Run } from '../main.ts'
import { CommandError } from '../output.ts'

const rolesFile = new URL('../../../../infra/postgres/roles.sql', import.meta.url)

const roles = ['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway']

async function letRolesLogIn(pool: Pool, password: string): Promise<void> {
  for (const role of roles) await pool.query(`ALTER ROLE ${role} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`)
}

/** `crm db …` */
export function addDatabaseCommands(program: Command, run: Run): void {
  const database = program.command('db').description('The database')

  database
    .command('migrate')
    .description('Bring the database up to date, and grant every deployable its tables')
    .action(run(async (_options, { databaseUrl, pool, config }) => {
      await migrate(databaseUrl)
      await pool.query(await readFile(rolesFile, 'utf8'))
      if (config.ROLE_PASSWORD) await letRolesLogIn(pool, config.ROLE_PASSWORD)
      return { migrated: true }
    }))

  database
    .command('seed-demo')
    .description('Create the demo workspace, or renew what demo.json says of it')
    .action(run((_options, connection) => seedDemo(connection)))

  database
    .command('generate')
    .description('Write many records fast, for load tests')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--leads <n>', 'how many leads')
    .action(run(async ({ workspace, leads }: { workspace: string; leads: string }, { db, pool }) => {
      const { id } = await requireWorkspace(db, workspace)
      if (!/^\d{1,8}$/.test(leads)) throw new CommandError('--leads is a whole number')
      return generateLeads(db, pool, id, Number(leads))
    }))
}
