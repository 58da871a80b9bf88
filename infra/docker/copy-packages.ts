// `node infra/docker/copy-packages.ts APP TO`: copies the installed packages of production that an app needs, so that all images share one
// installation. It runs inside the build of an image, with nothing but Node.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { packagesBelow, type Lockfile } from './packages.ts'

/** Editors and browsers read these; no process does. */
const unread = /\.(map|woff2|d\.[cm]?ts)$/

const [app, to] = process.argv.slice(2)
if (app === undefined || to === undefined) throw new Error('Name an app and a folder')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lockfile }
const needed = packagesBelow(packages, `apps/${app}`)

for (const path of needed) {
  const target = join(to, path)
  if (!path.includes('node_modules')) link(path)
  // The lockfile names the packages of other machines, too.
  else if (existsSync(path))
    cpSync(path, target, { recursive: true, filter: (file) => basename(file) !== 'node_modules' && !unread.test(file) })
}

/** Leads from the name of a package of the project to its folder. */
function link(folder: string): void {
  const [from] = Object.entries(packages).find(([, { link: isLink, resolved }]) => isLink && resolved === folder) ?? []
  if (from === undefined) throw new Error(`The lockfile has no link to ${folder}`)
  mkdirSync(join(to as string, dirname(from)), { recursive: true })
  symlinkSync(relative(dirname(from), folder), join(to as string, from))
}
