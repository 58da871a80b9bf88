import { bundleOf } from '@crm/testkit'
import { execFile } from 'node:child_process'
import { runCommand } from '../src/command-line.ts'

/** What comes of a command. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process, with a given environment and nothing of this process's own. */
export async function commandIn(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    environment,
    out: (text) => (written.stdout += text),
    err: (text) => (written.stderr += text),
  })
  return { code, ...written }
}

/** Runs a command as operators do, in a process of its own. */
export function commandAsProcess(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [bundleOf('cli'), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}
