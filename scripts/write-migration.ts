// `npm run migration -- --name add_x`: a migration from packages/db/src/schema. drizzle-kit compares with the newest snapshot only.
import { execFileSync } from 'node:child_process'
import { appendFileSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlainKind } from '../packages/model/src/kind.ts'
import { plainKinds } from '../packages/model/src/plain-kinds.ts'
import { olderSnapshots } from './check-migrations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const migrations = (): string[] => globSync('packages/db/migrations/*.sql', { cwd: root })

const before = migrations()
execFileSync(join(root, 'node_modules/.bin/drizzle-kit'), ['generate', ...process.argv.slice(2)], {
  cwd: join(root, 'packages/db'),
  stdio: 'inherit',
})
for (const path of olderSnapshots(root)) rmSync(join(root, path))
for (const path of migrations().filter((one) => !before.includes(one))) {
  const created = readFileSync(join(root, path), 'utf8')
  const statements = Object.values<PlainKind>(plainKinds)
    .filter(({ stem }) => created.includes(`CREATE TABLE "${tableOf(stem)}" (`))
    .flatMap(statementsOf)
  appendFileSync(join(root, path), statements.map((statement) => `\n--> statement-breakpoint\n${statement}`).join(''))
}

function tableOf(stem: string): string {
  return stem.replaceAll('-', '_')
}

/** Returns what no schema can express: the index of a plain kind in which search looks, and the rights on it in roles that are there already. */
function statementsOf({ entity, stem }: PlainKind): readonly string[] {
  const table = tableOf(stem)
  const rights = (...actions: string[]): string => actions.map((action) => `'${action}_${entity}'`).join(', ')
  const give = (roles: string, names: string, more = ''): string =>
    `UPDATE roles SET permissions = permissions || ARRAY[${names}]${more} WHERE is_system AND name IN (${roles});`
  const access = `{"entityType":"${entity}","VIEW":"DEPARTMENT_TREE","UPDATE":"OWN","DELETE":"OWN"}`
  return [
    `CREATE INDEX "${table}_search" ON "${table}" USING gin (workspace_id, search_text gin_trgm_ops) WHERE deleted_at IS NULL;`,
    give(`'Administrator', 'Manager'`, rights('VIEW', 'CREATE', 'UPDATE', 'DELETE')),
    give(`'Member'`, rights('VIEW', 'CREATE', 'UPDATE'), `, access = access || '[${access}]'`),
    give(`'Read only'`, rights('VIEW')),
  ]
}
