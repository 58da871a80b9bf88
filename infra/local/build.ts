import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { waitForLock } from './lock.mjs'
import { turboArgs, turboProgram, turboVariables } from './turbo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Builds the stale pages and bundles, one build of a checkout at a time.
 *
 * Fails with all output of the build.
 */
export async function buildProject(stopping?: AbortSignal): Promise<void> {
  const release = await waitForLock(join(root, '.setup.lock'))
  try {
    stopping?.throwIfAborted()
    await promisify(execFile)(turboProgram, turboArgs('build'), {
      cwd: root,
      env: { ...process.env, ...turboVariables },
      signal: stopping,
    })
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${stdout}${stderr}`.trim() || message, { cause: error })
  } finally {
    release()
  }
}
