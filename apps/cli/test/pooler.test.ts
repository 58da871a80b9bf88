import { testDatabase } from '@crm/testkit'
import { expect, it } from 'vitest'
import { lookAtPooler } from '../src/doctor/pooler.ts'

// `npm run test:pooler` leads the operator's address through PgBouncer, and turns named statements off where that does not carry them.
const isBehindPooler = process.env['TEST_POOLER_PORT'] !== undefined
const mayPrepare = process.env['DATABASE_PREPARE'] !== 'false'
const { ownerUrl, operatorUrl } = await testDatabase()

const look = async (directUrl: string | undefined, prepares: boolean): Promise<readonly string[]> => {
  const findings = await lookAtPooler({ databaseUrl: operatorUrl, directUrl, prepares })
  return findings.map(({ level, sentence }) => `${level} ${sentence}`)
}
const none = 'ok There is none in front of the database.'
const carries = 'ok The pooler carries what the deployables send.'
const lacksDirect = 'warn DATABASE_URL leads through a pooler, and there is no other way for migrations and backups.'

it('says whether a pooler is in front, and whether it carries named statements', async () => {
  expect(await look(ownerUrl, mayPrepare)).toEqual([isBehindPooler ? carries : none])
  expect(await look(undefined, false)).toEqual(isBehindPooler ? [lacksDirect, carries] : [none])
  expect(await look(operatorUrl, mayPrepare)).toEqual(
    isBehindPooler ? ['fail DATABASE_DIRECT_URL leads through a pooler, too.', carries] : [none],
  )
  const carried = mayPrepare ? carries : 'fail The pooler does not carry named statements.'
  expect(await look(ownerUrl, true)).toEqual([isBehindPooler ? carried : none])
})
