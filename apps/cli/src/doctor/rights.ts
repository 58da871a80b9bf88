import type { PoolClient } from 'pg'
import { deployableRoles } from '@crm/db'
import { grantRights } from '../rights.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'database'
/** The most rights that a finding names. */
const namedMax = 3

/** The rights and settings of the roles that the database lacks, and the ones that it has besides; in words. */
export interface RightDifferences {
  readonly missing: readonly string[]
  readonly besides: readonly string[]
}

/** Every right of a deployable on a schema, a table, a sequence or a column, and every setting of its role. */
const rights = `
  SELECT grantee::regrole::text || ' has ' || privilege || ' on ' || thing AS text FROM (
    SELECT a.grantee, a.privilege_type AS privilege, n.nspname AS thing FROM pg_namespace n, aclexplode(n.nspacl) a
    UNION ALL
    SELECT a.grantee, a.privilege_type, c.relname FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace IN ('public'::regnamespace, 'migrations'::regnamespace)
    UNION ALL
    SELECT a.grantee, a.privilege_type, c.relname || '.' || t.attname FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid, aclexplode(t.attacl) a
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.attisdropped
  ) granted WHERE grantee <> 0 AND grantee::regrole::text = ANY ($1)
  UNION ALL
  SELECT s.setrole::regrole::text || ' has ' || setting FROM pg_db_role_setting s, unnest(s.setconfig) AS setting
  WHERE s.setdatabase IN (0, (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())) AND s.setrole <> 0 AND s.setrole::regrole::text = ANY ($1)
  ORDER BY 1`

/** Compares the rights of the deployables with those that `crm db migrate` would give them, in a transaction that changes nothing. */
export async function readRightDifferences(client: PoolClient): Promise<RightDifferences> {
  const read = async (): Promise<ReadonlySet<string>> =>
    new Set((await client.query<{ text: string }>(rights, [deployableRoles])).rows.map(({ text }) => text))
  await client.query('begin')
  try {
    await client.query(`SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '5s'`)
    const is = await read()
    await grantRights(client)
    const should = await read()
    return { missing: [...should.difference(is)], besides: [...is.difference(should)] }
  } finally {
    await client.query('rollback')
  }
}

/** Words the differences: a deployable without a right fails at some request, one with more protects less. */
export function judgeRights({ missing, besides }: RightDifferences): readonly Finding[] {
  const remedy = 'Run crm db migrate.'
  return [
    missing.length === 0
      ? ok(area, 'Every role has its rights.')
      : fail(area, `Roles lack rights: ${named(missing)}.`, remedy),
    ...(besides.length === 0 ? [] : [warn(area, `Roles have more rights than they need: ${named(besides)}.`, remedy)]),
  ]
}

function named(all: readonly string[]): string {
  const further = all.length - namedMax
  return [...all.slice(0, namedMax), ...(further > 0 ? [`${further} more`] : [])].join(', ')
}
