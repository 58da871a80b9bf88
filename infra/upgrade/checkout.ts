import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The project at one commit, built, in a folder of its own. */
export interface Checkout {
  readonly root: string
  remove(): void
}

/** The apps whose processes are replaced; the console has no state, and building its pages takes longest. */
const builtApps = ['crm-api', 'booking', 'webhooks', 'mcp-gateway']

/** Returns the last tag before the current commit; undefined when there is none. */
export function lastTag(root: string): string | undefined {
  try {
    return git(root, 'describe', '--tags', '--abbrev=0')
  } catch {
    return undefined
  }
}

/** Returns a short name of the current commit, or of another one. */
export function commitName(root: string, commit = 'HEAD'): string {
  return git(root, 'log', '-1', '--format=%h %s', commit)
}

/** Checks a commit out beside the project and builds it. Packages are shared where both commits have the same ones. */
export function checkOut(root: string, commit: string): Checkout {
  const parent = mkdtempSync(join(tmpdir(), 'crm-upgrade-'))
  const folder = join(parent, 'before')
  git(root, 'worktree', 'add', '--detach', '--force', folder, commit)
  const remove = (): void => {
    git(root, 'worktree', 'remove', '--force', folder)
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    const lockfile = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8')
    const hasSamePackages = withoutOwn(lockfile(root)) === withoutOwn(lockfile(folder))
    if (hasSamePackages) linkPackages(root, folder)
    else execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
    buildApps(folder)
    return { root: folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Builds the bundles of the replaced apps. */
export function buildApps(root: string): void {
  for (const app of builtApps)
    execFileSync('npm', ['run', '--silent', 'build', '--workspace', `@crm/${app}`], { cwd: root, stdio: 'ignore' })
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

/** Returns the packages of a lockfile that come from elsewhere. */
function withoutOwn(lockfile: string): string {
  const { packages } = JSON.parse(lockfile) as { readonly packages: Readonly<Record<string, unknown>> }
  return JSON.stringify(Object.entries(packages).filter(([path]) => path.includes('node_modules/')))
}

/** Lets a checkout use the installed packages of another one, and its own where they are part of the project. */
function linkPackages(from: string, to: string): void {
  const link = (target: string, path: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) symlinkSync(target, path)
  }
  for (const name of readdirSync(join(from, 'node_modules')))
    if (name !== '@crm') link(join(from, 'node_modules', name), join(to, 'node_modules', name))
  for (const manifest of globSync('{apps,packages}/*/package.json', { cwd: to })) {
    const { name } = JSON.parse(readFileSync(join(to, manifest), 'utf8')) as { readonly name: string }
    link(join(to, dirname(manifest)), join(to, 'node_modules', name))
  }
  for (const folder of globSync('{apps,packages}/*/node_modules', { cwd: from }))
    link(join(from, folder), join(to, folder))
}
