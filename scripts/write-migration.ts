// `npm run migration -- --name add_x`: a migration from packages/db/src/schema. drizzle-kit compares with the newest snapshot only.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { olderSnapshots } from './check-migrations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

execFileSync(join(root, 'node_modules/.bin/drizzle-kit'), ['generate', ...process.argv.slice(2)], {
  cwd: join(root, 'packages/db'),
  stdio: 'inherit',
})
for (const path of olderSnapshots(root)) rmSync(join(root, path))
