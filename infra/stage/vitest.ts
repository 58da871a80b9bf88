import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs tests in a process of their own, shows what they say and returns its exit code. */
export async function runVitest(paths: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...paths], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(vitest, 'exit')) as [number | null]
  return code ?? 1
}
