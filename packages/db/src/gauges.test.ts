import { createMetrics } from '@crm/runtime'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'
import { createDatabase } from './client.ts'
import { addInstallationGauges } from './gauges.ts'
import { createPool } from './pool.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
afterAll(() => owner.end())

const metrics = createMetrics('test')
addInstallationGauges(metrics, owner)

async function backupAge(): Promise<number | undefined> {
  const [, value] = /^crm_backup_age_seconds\{.*\} (\S+)$/m.exec(await metrics.render()) ?? []
  return value === undefined ? undefined : Number(value)
}

it('shows the age of the last verified backup, and how long there has been something to save without one', async () => {
  expect(await backupAge()).toBeUndefined()
  const { workspaceId } = await createTestWorkspace(createDatabase(owner))
  await owner.query("UPDATE workspaces SET created_at = now() - interval '30 hours' WHERE id = $1", [workspaceId])
  expect(await backupAge()).toBeGreaterThanOrEqual(30 * 3_600)
  await owner.query("INSERT INTO installation (backup_at) VALUES (now() - interval '2 hours')")
  const age = await backupAge()
  expect(age).toBeGreaterThanOrEqual(2 * 3_600)
  expect(age).toBeLessThan(30 * 3_600)
})
