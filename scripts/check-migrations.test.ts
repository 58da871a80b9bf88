import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkMigration, findMigrationBreaches } from './check-migrations.ts'

const path = '0009_add_x.sql'

describe('a migration', () => {
  it.each([
    ['ALTER TABLE leads RENAME COLUMN a TO b;', 'renames'],
    ['ALTER TABLE "leads" DROP COLUMN "a";', 'drops'],
    ['DROP INDEX leads_a;', 'drops'],
    ['ALTER TABLE leads ALTER COLUMN a DROP DEFAULT;', 'drops'],
    ['ALTER TABLE leads ALTER COLUMN a SET NOT NULL;', 'narrows a column'],
    ['ALTER TABLE leads ALTER COLUMN a SET DATA TYPE bigint;', 'rewrites a column'],
    ['ALTER TABLE "leads" ADD COLUMN "a" text NOT NULL;', 'does not fill'],
    ['ALTER TABLE leads ADD COLUMN a timestamptz DEFAULT now() NOT NULL;', 'rewrites the table'],
    ['ALTER TABLE leads ADD COLUMN a text GENERATED ALWAYS AS (lower(b)) STORED;', 'rewrites the table'],
    ['ALTER TABLE leads ADD CONSTRAINT c CHECK (a > 0);', 'NOT VALID'],
    ['ALTER TABLE leads ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (a);', 'NOT VALID'],
    ['ALTER TABLE leads ADD CONSTRAINT c UNIQUE (a);', 'USING INDEX'],
    ['CREATE UNIQUE INDEX i ON leads USING btree (a);', 'CONCURRENTLY'],
    ['CREATE INDEX CONCURRENTLY i ON leads (a);', 'IF NOT EXISTS'],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON leads (a); CREATE TABLE t (a int);', 'of its own'],
    ['UPDATE leads SET a = 1;', 'backfill'],
    ['DO $$ BEGIN UPDATE leads SET a = 1; END $$;', 'backfill'],
    ['DELETE FROM leads;', 'backfill'],
  ])('that has %s is refused: it %s', (sql, says) => {
    const breaches = checkMigration(path, `-- why\n${sql}\n`)
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(`${path}:2 `)
    expect(breaches[0]).toContain(says)
  })

  it.each([
    'CREATE TABLE t (a text NOT NULL); CREATE INDEX i ON t (a); ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (a);',
    'ALTER TABLE leads ADD COLUMN a text;',
    `UPDATE roles SET permissions = permissions || '{VIEW_X}' WHERE is_system;`,
    `ALTER TABLE "leads" ADD COLUMN "a" jsonb DEFAULT '{}'::jsonb NOT NULL;`,
    'ALTER TABLE leads ADD CONSTRAINT c CHECK (a > 0) NOT VALID;',
    'ALTER TABLE leads VALIDATE CONSTRAINT c;',
    'ALTER TABLE leads ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (a) ON UPDATE NO ACTION ON DELETE SET NULL NOT VALID;',
    'ALTER TABLE leads ALTER COLUMN a DROP NOT NULL;',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON leads (a);',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE leads SET a = 1; DROP TABLE t $$;',
    `-- DROP TABLE t;\nCOMMENT ON TABLE leads IS 'DROP TABLE t; UPDATE leads SET a = 1';`,
    '-- contract\nDROP TABLE t;',
  ])('that has %s is allowed', (sql) => {
    expect(checkMigration(path, sql)).toEqual([])
  })

  it('is told the line on which the offending words stand', () => {
    expect(
      checkMigration(path, 'CREATE TABLE t (a int);\n\nALTER TABLE leads\n  ADD COLUMN a text,\n  DROP COLUMN b;'),
    ).toEqual([expect.stringContaining(`${path}:5 drops`)])
  })
})

describe('snapshots', () => {
  const root = mkdtempSync(join(tmpdir(), 'crm-snapshots-'))
  const meta = 'packages/db/migrations/meta'
  const add = (name: string) => writeFileSync(join(root, meta, name), '{}')
  mkdirSync(join(root, meta), { recursive: true })
  afterAll(() => rmSync(root, { recursive: true }))

  it('are refused but the newest', () => {
    add('_journal.json')
    add('0001_snapshot.json')
    expect(findMigrationBreaches(root)).toEqual([])
    add('0002_snapshot.json')
    expect(findMigrationBreaches(root)).toEqual([expect.stringMatching(`^${meta}/0001_snapshot.json .*delete it`)])
  })
})
