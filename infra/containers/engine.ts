import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The outcome of a command. */
interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A container engine with its compose program. */
export interface Engine {
  /** Runs the engine itself; fails with its last words unless it ends well. */
  run(...args: readonly string[]): Promise<string>
  /** Runs the compose program on the file of the project. */
  compose(...args: readonly string[]): Promise<Outcome>
}

type Environment = Readonly<Record<string, string>>

/** Finds Docker with its compose plugin, or Podman with podman-compose; undefined when there is neither. */
export async function findEngine(project: string, env: Environment): Promise<Engine | undefined> {
  const kinds = [
    { engine: 'docker', compose: ['docker', 'compose'] },
    { engine: 'podman', compose: ['podman-compose'] },
  ] as const
  for (const { engine, compose } of kinds) {
    const [program, ...words] = compose
    const probes = [await execute(engine, ['info'], {}), await execute(program, [...words, 'version'], {})]
    if (probes.some(({ code }) => code !== 0)) continue
    return {
      run: async (...args) => {
        const { code, out, err } = await execute(engine, args, env)
        if (code !== 0) throw new Error(`${engine} ${args[0]}: ${lastLines(err || out)}`)
        return out.trim()
      },
      compose: (...args) => execute(program, [...words, '-p', project, ...args], env),
    }
  }
  return undefined
}

/** Returns the last lines of what a program said. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join(' | ')
}

async function execute(program: string, args: readonly string[], env: Environment): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(
    ([code]: (number | null)[]) => code ?? 1,
    () => 127,
  )
  const [out, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended])
  return { code, out: out.toString(), err: err.toString() }
}
