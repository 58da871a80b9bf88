import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ada } from './machine.ts'

const run = promisify(execFile)

/** Versions of Node that a machine may have beside the system's own. */
const nodeVersions = [18, 22, 24, 26] as const
export type NodeVersion = (typeof nodeVersions)[number]

/** The shared parts of all machines: clones of the project, and programs that Debian does not have. */
export interface Stage {
  /** A bare clone of the commit under test, as the source of clones. */
  readonly repository: string
  /** A clone with only the packages installed; it belongs to the ordinary user. */
  readonly installed: string
  /** The same at the commit before the newest migration. */
  readonly earlier: string
  /** A filled npm cache that only root may write to. */
  readonly npmCache: string
  /** Returns the folder of a Node of that version, for the beginning of the PATH. */
  nodeDir(version: NodeVersion): string
  /** Returns the command that runs npm with the first Node on the PATH; the system's npm supports Node 20 and later. */
  npm(version: NodeVersion): string
  clear(): void
}

/** Prepares the stage from the newest commit of a checkout. */
export async function prepareStage(root: string): Promise<Stage> {
  const dir = mkdtempSync('/var/tmp/crm-fresh-')
  const [repository, installed, earlier, npmCache] = ['repository.git', 'installed', 'earlier', 'npm-cache'].map(
    (name) => join(dir, name),
  ) as [string, string, string, string]
  await run('chmod', ['755', dir])
  await run('git', ['clone', '--quiet', '--bare', root, repository])
  await run('git', ['clone', '--quiet', repository, installed])
  await run('git', ['clone', '--quiet', repository, earlier])
  await run('git', ['checkout', '--quiet', await findEarlier(earlier)], { cwd: earlier })
  for (const clone of [installed, earlier])
    await run('npm', ['ci', '--include=dev', '--loglevel=error', '--cache', npmCache], {
      cwd: clone,
      maxBuffer: 64 * 1024 * 1024,
    })
  for (const version of nodeVersions) await installNode(join(dir, `node-${version}`), version, npmCache)
  await run('chown', ['-R', `${ada.id}:${ada.id}`, installed, earlier])
  await run('chmod', ['-R', 'a-w', npmCache])
  return {
    repository,
    installed,
    earlier,
    npmCache,
    nodeDir: (version) => join(dir, `node-${version}`, 'node_modules', '.bin'),
    npm: (version) =>
      version === 18
        ? `node ${join(dir, 'node-18', 'node_modules', 'npm', 'bin', 'npm-cli.js')}`
        : 'node "$(realpath "$(command -v npm)")"',
    clear: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Returns the newest commit whose data this version must migrate: the one before the last change of the migrations. */
async function findEarlier(clone: string): Promise<string> {
  const { stdout } = await run('git', ['log', '-1', '--format=%H', '--', 'packages/db/migrations/meta/_journal.json'], {
    cwd: clone,
  })
  return `${stdout.trim()}^`
}

async function installNode(folder: string, version: NodeVersion, cache: string): Promise<void> {
  mkdirSync(folder)
  const packages = [`node@${version}`, ...(version === 18 ? ['npm@10'] : [])]
  // npm has a Node package for each platform, and downloads the one of this platform during the installation.
  await run('npm', ['install', '--prefix', folder, '--loglevel=error', '--no-save', '--cache', cache, ...packages])
}
