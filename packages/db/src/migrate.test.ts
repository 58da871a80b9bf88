import { testDatabase, unique } from '@crm/testkit'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eq, sql } from 'drizzle-orm'
import { brokenConstraint, type Transaction } from './transaction.ts'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@crm/runtime'
import { backfillRows, runBackfills } from './backfills.ts'
import { staleCollations } from './collations.ts'
import { foldSearchTexts } from './fold-search-texts.ts'
import { nameCollation } from './name-order.ts'
import { createDatabase } from './client.ts'
import { migrate, MigrationRefusedError, NewerSchemaError, OlderSchemaError } from './migrate.ts'
import { neededMigration, newestMigration } from './migrations.ts'
import { startBeat } from './processes.ts'
import { newId } from './new-id.ts'
import { createPool } from './pool.ts'
import { createSchemaCheck } from './schema-check.ts'
import { units } from './schema/index.ts'
import { endingTwin } from './twins.ts'
import { usualHome } from './usual-home.ts'

type Row = Record<string, unknown>

const [needed, newest] = [await neededMigration(), await newestMigration()]
const folds = await testDatabase()

describe('migrate', () => {
  it('leaves a database as it is that has every migration', async () => {
    const { ownerUrl } = await testDatabase()
    const applied = () => onDatabase(ownerUrl, (query) => query('SELECT * FROM migrations.__drizzle_migrations'))
    const before = await applied()
    await migrate(ownerUrl)
    expect(await applied()).toEqual(before)
  })

  it('goes on with a database whose migrations have other names, and were made until then', async () => {
    const { ownerUrl } = await testDatabase()
    const workspaceId = newId()
    await onDatabase(ownerUrl, async (query) => {
      await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'one', 'One', 'http://a')", [
        workspaceId,
      ])
      await rememberMigrations(query, [newest - 2_000, newest - 1_000, newest])
    })
    await migrate(ownerUrl)
    await onDatabase(ownerUrl, async (query) => {
      expect(await query('SELECT id FROM workspaces')).toEqual([{ id: workspaceId }])
      expect(await query('SELECT created_at FROM migrations.__drizzle_migrations')).toHaveLength(3)
    })
  })

  it('refuses a database that was left behind before the first migration, and one that is ahead', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, (query) => rememberMigrations(query, [1]))
    await expect(migrate(ownerUrl)).rejects.toThrow(OlderSchemaError)
    await onDatabase(ownerUrl, (query) => rememberMigrations(query, [newest + 1]))
    await expect(migrate(ownerUrl)).rejects.toThrow(NewerSchemaError)
  })
})

describe('workspaces that were there before', () => {
  it('get the home that a new one begins with', async () => {
    const { ownerUrl } = await testDatabase()
    const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))
    const [file = ''] = globSync('*_add_dashboards.sql', { cwd: migrations })
    const last = readFileSync(`${migrations}${file}`, 'utf8').split('--> statement-breakpoint').at(-1) ?? ''
    await onDatabase(ownerUrl, async (query) => {
      const id = newId()
      await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'old', 'Old', 'http://a')", [id])
      await query(last)
      const homes = await query('SELECT name, visibility, is_home AS "isHome", widgets FROM dashboards')
      expect(homes).toEqual([usualHome])
    })
  })
})

describe('the question whether the schema is behind', () => {
  it('is answered by the newest migration of the database, however many it has', async () => {
    const { ownerUrl } = await testDatabase()
    const pool = createPool({ databaseUrl: ownerUrl, max: 1, applicationName: 'test-schema' })
    const isBehind = async (): Promise<boolean> => createSchemaCheck(pool)()
    try {
      expect(await isBehind()).toBe(false)
      await onDatabase(ownerUrl, (query) => rememberMigrations(query, [1, 2, 3, needed - 1]))
      expect(await isBehind()).toBe(true)
      await onDatabase(ownerUrl, (query) => rememberMigrations(query, []))
      expect(await isBehind()).toBe(true)
    } finally {
      await pool.end()
    }
  })
})

describe('texts that were there before', () => {
  const step = (name: string): readonly string[] => {
    const [file = ''] = globSync(`*_${name}.sql`, { cwd: fileURLToPath(new URL('../migrations/', import.meta.url)) })
    return readFileSync(fileURLToPath(new URL(`../migrations/${file}`, import.meta.url)), 'utf8').split(
      '--> statement-breakpoint',
    )
  }
  /** Brings a database back to the folding and the indexes of before. */
  const before = [
    ...step('baseline')
      .filter((each) => /CREATE FUNCTION crm_(fold|searchable)/.test(each))
      .map((each) => each.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')),
    ...[
      ...step('index-folded-texts')
        .join('')
        .matchAll(/IF NOT EXISTS "(\w+)"/g),
    ].map(([, name]) => `DROP INDEX "${name}"`),
    'UPDATE units SET is_twin = false',
  ]
  const again = [
    ...step('fold-texts').map((each) => each.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')),
    ...step('index-folded-texts'),
    ...step('drop-triggers-of-twins').filter((each) => each.includes('_end_twin')),
  ]

  it('are compared anew: twins stay until they get other names, and a backfill makes what search looks in', async () => {
    const { ownerUrl } = await testDatabase()
    const pool = createPool({ databaseUrl: ownerUrl, max: 1, applicationName: 'test-texts' })
    try {
      await onDatabase(ownerUrl, async (query) => {
        const workspace = newId()
        await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'old', 'Old', 'http://a')", [
          workspace,
        ])
        for (const statement of before) await query(statement)
        const add = (name: string) =>
          query('INSERT INTO units (workspace_id, id, name) VALUES ($1, $2, $3)', [workspace, newId(), name])
        for (const name of ['Crate', 'Crâte', "Cra'te", 'Box']) await add(name)
        await query("INSERT INTO channels (workspace_id, id, name) VALUES ($1, $2, 'O''Brien'), ($1, $3, 'plain')", [
          workspace,
          newId(),
          newId(),
        ])
        for (const statement of again) await query(statement)
        expect(await query('SELECT name FROM units WHERE is_twin ORDER BY name')).toEqual([
          { name: "Cra'te" },
          { name: 'Crâte' },
        ])
        await expect(add('crâ’te')).rejects.toThrow('units_name_folded')
        const db = createDatabase(pool)
        const rename = async (from: string, to: string) =>
          db
            .update(units)
            .set(endingTwin(units, { name: to }))
            .where(eq(units.name, from))
        await rename("Cra'te", "Cra'te")
        await rename('Crâte', 'Barrel')
        await expect(add('barrel')).rejects.toThrow('units_name')
        const taken = await rename("Cra'te", 'Böx').catch((error: unknown) => error)
        expect(brokenConstraint(taken)).toBe('units_name')
        await runBackfills(db, [foldSearchTexts])
        expect(await query('SELECT search_text AS text FROM channels ORDER BY name')).toEqual([
          { text: 'ššobrienšš' },
          { text: 'ššplainšš' },
        ])
        expect(
          await query("SELECT rows::int FROM backfills WHERE name = 'fold-search-texts' AND done_at IS NOT NULL"),
        ).toEqual([{ rows: 1 }])
      })
    } finally {
      await pool.end()
    }
  })
})

describe('the orders of names', () => {
  it('are built for the alphabets in use, and anew when the library that sorts has another version', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, async (query) => {
      const inPolish = () =>
        query(
          "SELECT indexrelid::int AS id, indexrelid::regclass::text AS name FROM pg_index WHERE 'crm_names_pl'::regcollation::oid = ANY (indcollation) ORDER BY 2",
        )
      expect(await inPolish()).toEqual([])
      await query(
        "INSERT INTO workspaces (id, slug, name, base_url, locale) VALUES ($1, 'pl', 'Pl', 'http://a', 'pl-PL')",
        [newId()],
      )
      await migrate(ownerUrl)
      expect((await inPolish()).map(({ name }) => name)).toEqual([
        'companies_in_order_of_domain_pl',
        'companies_in_order_pl',
        'contacts_in_order_of_email_pl',
        'contacts_in_order_of_first_name_pl',
        'contacts_in_order_pl',
        'deals_in_order_pl',
        'leads_in_order_of_company_name_pl',
        'leads_in_order_of_last_name_pl',
        'products_in_order_pl',
        'tasks_in_order_of_title_pl',
      ])
      const pool = createPool({ databaseUrl: ownerUrl, max: 1, applicationName: 'test-collations' })
      try {
        const files = () =>
          query(
            "SELECT pg_relation_filenode('companies_in_order_pl')::int AS file, pg_relation_filenode('companies_in_order')::int AS other",
          )
        expect(await staleCollations(pool)).toEqual([])
        await query("UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'crm_names_pl'")
        expect(await staleCollations(pool)).toMatchObject([{ object: 'COLLATION public.crm_names_pl' }])
        const [before] = await files()
        await migrate(ownerUrl)
        expect(await staleCollations(pool)).toEqual([])
        const [after] = await files()
        expect(after?.['other']).toBe(before?.['other'])
        expect(after?.['file']).not.toBe(before?.['file'])
      } finally {
        await pool.end()
      }
    })
  })

  it('are those of the languages, without regard to case', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, async (query) => {
      const sorted = async (locale: string, names: string) =>
        (
          await query(
            `SELECT string_agg(name, ' ' ORDER BY name COLLATE ${nameCollation(locale)}, place) AS names FROM unnest(string_to_array($1, ' ')) WITH ORDINALITY AS n (name, place)`,
            [names],
          )
        )[0]?.['names']
      expect(await sorted('de', 'zebra Apfel apfel Äpfel Zebra Öl Łódź')).toBe('Apfel apfel Äpfel Łódź Öl zebra Zebra')
      expect(await sorted('sv-SE', 'Öl Zebra Ärta Apfel Ål')).toBe('Apfel Zebra Ål Ärta Öl')
      expect(await sorted('pl', 'Łódź Lublin Lwów Luz')).toBe('Lublin Luz Lwów Łódź')
      expect(await sorted('no', 'Ås Zebra Ærlig Øl')).toBe('Zebra Ærlig Øl Ås')
    })
  })
})

describe('crm_fold', () => {
  it.each([
    ['İstanbul', 'istanbul'],
    ['Işıl', 'isil'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Ὀδυσσεύς', 'οδυσσευς'],
    ['Straße', 'STRASSE'],
    ['ﬁne', 'FINE'],
    ['Ｆｕｌｌ', 'full'],
    ['Cafe\u0301', 'CAFÉ'],
    ["O'Brien", 'O’BRIEN'],
    ["O'Brien", 'obrien'],
    ['مُحَمَّد', 'محمد'],
    ['שָׁלוֹם', 'שלום'],
    ['Łódź', 'lodz'],
    ['ПЁТР', 'петр'],
    ['ﾊﾟ', 'パ'],
  ])('%s and %s are alike', async (one, other) => {
    await onDatabase(folds.ownerUrl, async (query) =>
      expect(await query('SELECT crm_fold($1) AS text', [one])).toEqual(
        await query('SELECT crm_fold($1) AS text', [other]),
      ),
    )
  })

  it.each([
    ['कि', 'का'],
    ['は', 'ば'],
    ['Андрей', 'Андрея'],
  ])('%s and %s are not', async (one, other) => {
    await onDatabase(folds.ownerUrl, async (query) =>
      expect(await query('SELECT crm_fold($1) = crm_fold($2) AS alike', [one, other])).toEqual([{ alike: false }]),
    )
  })

  it('gives the same once more, for either case and for composed and decomposed letters', async () => {
    await onDatabase(folds.ownerUrl, async (query) => {
      const odd = await query(`
        WITH letters AS MATERIALIZED (
          SELECT point, letter, crm_fold(letter) AS folded FROM generate_series(1, 66000) AS point,
            chr(CASE WHEN point BETWEEN 55296 AND 57343 THEN 65 ELSE point END) AS letter)
        SELECT to_hex(point) AS point FROM letters
        WHERE folded <> crm_fold(folded) OR folded <> crm_fold(normalize(letter, NFD))
          OR folded <> crm_fold(upper(letter COLLATE "pg_unicode_fast"))`)
      expect(odd).toEqual([])
    })
  })

  it('depends on no language of the database', async () => {
    await onDatabase(folds.ownerUrl, async (query) => {
      const name = `turkish_${unique()}`
      await query(`CREATE DATABASE ${name} ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' TEMPLATE template0`)
      const url = new URL(folds.ownerUrl)
      url.pathname = `/${name}`
      try {
        await migrate(url.href)
        await onDatabase(url.href, async (ofTurkish) => {
          expect(
            await ofTurkish(
              "SELECT lower('INFO') AS lower, crm_fold('INFO') AS folded, crm_searchable('INFO.x@') = crm_searchable('info.X@') AS found",
            ),
          ).toEqual([{ lower: 'ınfo', folded: 'info', found: true }])
        })
      } finally {
        await query(`DROP DATABASE ${name}`)
      }
    })
  })
})

describe('crm_searchable', () => {
  const asciiSigns = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) =>
    /[^a-zA-Z0-9'`]/.test(sign),
  )

  it('lets each sign stand as a letter of its own, which the index of texts takes for one and no other text holds', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, async (query) => {
      const rows = await query(
        "SELECT crm_searchable(sign) AS letter, crm_fold(crm_searchable(sign)) AS folded, cardinality(show_trgm(crm_searchable('x' || sign))) AS known FROM unnest($1::text[]) AS sign",
        [asciiSigns],
      )
      expect(new Set(rows.map(({ letter }) => letter)).size).toBe(30)
      expect(rows.filter(({ letter, folded }) => letter === folded || !/^[a-z]$/.test(String(folded)))).toEqual([])
      // A word of two letters has three pieces, a word of one letter only two.
      expect(new Set(rows.map(({ known }) => known))).toEqual(new Set([3]))
      expect(await query("SELECT crm_searchable('Zoë''s Ünit 7') AS text")).toEqual([{ text: 'zoesššunitšš7' }])
    })
  })
})

describe('migrations after the newest', () => {
  const waits = { lockMs: 20, tries: 3, pauseMs: 20 }

  it('wait for a lock in several short tries, then give up and leave nothing', async () => {
    const { ownerUrl } = await testDatabase()
    await withMigrations(['ALTER TABLE workspaces ADD COLUMN more text'], async (folder) => {
      await onDatabase(ownerUrl, async (query) => {
        await query('BEGIN')
        await query('LOCK TABLE workspaces IN ACCESS SHARE MODE')
        await expect(migrate(ownerUrl, { folder, waits })).rejects.toThrow(MigrationRefusedError)
        const onWait = () => void query('ROLLBACK')
        await migrate(ownerUrl, { folder, waits: { ...waits, tries: 50 }, onWait })
        await query('SELECT more FROM workspaces')
      })
    })
  })

  it('that remove something wait for a request, for older processes and for their backfill', async () => {
    const { ownerUrl } = await testDatabase()
    const steps = ['-- contract after fill-things\nDROP TABLE things', 'CREATE TABLE others (id int)']
    await withMigrations(['CREATE TABLE things (id int, is_filled boolean)', ...steps], async (folder) => {
      const pool = createPool({ databaseUrl: ownerUrl, max: 2, applicationName: 'test-contract' })
      const beat = startBeat({
        pools: [pool],
        kind: 'old-service',
        logger: createLogger({ name: 'test', level: 'silent' }),
      })
      try {
        await migrate(ownerUrl, { folder })
        const count = async (): Promise<number> =>
          (await pool.query('SELECT FROM things WHERE is_filled')).rowCount ?? 0
        await pool.query('INSERT INTO things SELECT generate_series(1, 2 * $1::int + 1)', [backfillRows])
        expect((await pool.query('SELECT FROM others')).rowCount).toBe(0)
        await expect.poll(async () => (await pool.query('SELECT FROM processes')).rowCount).toBe(1)

        const contract = () => migrate(ownerUrl, { folder, contract: true })
        await expect(contract()).rejects.toThrow('old-service')
        await beat.close()
        await expect(contract()).rejects.toThrow('fill-things')

        const fill = {
          name: 'fill-things',
          step: async (tx: Transaction, limit: number) =>
            (
              await tx.execute(
                sql`UPDATE things SET is_filled = true WHERE id IN (SELECT id FROM things WHERE is_filled IS NULL LIMIT ${limit})`,
              )
            ).rowCount ?? 0,
        }
        await runBackfills(createDatabase(pool), [fill])
        expect(await count()).toBe(2 * backfillRows + 1)
        await contract()
        await expect(count()).rejects.toThrow('things')
        await contract()
      } finally {
        await beat.close()
        await pool.end()
      }
    })
  })

  it('build an index beside writers, and a half-built one again', async () => {
    const { ownerUrl } = await testDatabase()
    const index = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS outbox_test ON outbox (event)'
    await withMigrations([index], async (folder) => {
      await onDatabase(ownerUrl, async (query) => {
        const add = (event: string) =>
          query("INSERT INTO outbox (workspace_id, id, topic, event) VALUES ($1, $2, 'change', $3)", [
            newId(),
            newId(),
            event,
          ])
        await add('same')
        await add('same')
        await expect(migrate(ownerUrl, { folder })).rejects.toThrow('outbox_test')
        await query('DELETE FROM outbox')
        await migrate(ownerUrl, { folder })
        await add('same')
        await expect(add('same')).rejects.toThrow('outbox_test')
      })
    })
  })
})

/** Works with a folder that holds these migrations after the ones of the product. */
async function withMigrations(texts: readonly string[], work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-migrations-'))
  try {
    const all = ['SELECT 1', ...texts]
    const entries = all.map((_, at) => ({ when: newest + at, tag: `000${at}_test` }))
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries }))
    for (const [at, text] of all.entries()) await writeFile(join(folder, `000${at}_test.sql`), text)
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function rememberMigrations(
  query: (text: string, values?: unknown[]) => Promise<Row[]>,
  madeAt: readonly number[],
): Promise<void> {
  await query('DELETE FROM migrations.__drizzle_migrations')
  for (const at of madeAt)
    await query('INSERT INTO migrations.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [`hash of ${at}`, at])
}

async function onDatabase<T>(
  connectionString: string,
  work: (query: (text: string, values?: unknown[]) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query<Row>(text, values)).rows)
  } finally {
    await client.end()
  }
}
