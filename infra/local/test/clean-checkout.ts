import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ownScope = '@crm'

/**
 * Copies the current files of the project in this checkout, and links the installed packages.
 *
 * The copy has no results of earlier builds or starts.
 */
export function makeCleanCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const path of listed.split('\0').filter((file) => file !== '')) {
    // A deleted file whose deletion is not committed is still listed.
    if (!existsSync(join(root, path))) continue
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, path), to, { preserveTimestamps: true })
  }
  linkPackages(folder)
}

/** Delays a program of the copy until a file exists. */
export function holdBack(folder: string, program: string, untilThereIs: string): void {
  const link = join(folder, 'node_modules', '.bin', program)
  rmSync(link)
  writeFileSync(
    link,
    `#!/bin/sh\nwhile [ ! -e '${untilThereIs}' ]; do sleep 0.1; done\nexec '${join(root, 'node_modules', '.bin', program)}' "$@"\n`,
    { mode: 0o755 },
  )
}

/** Links every installed package; the project's own packages are the copy's. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '.bin' || name === '.cache' || name === ownScope) continue
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(root, 'node_modules', '.bin')))
    symlinkSync(join(root, 'node_modules', '.bin', name), join(modules, '.bin', name))
  mkdirSync(join(modules, ownScope))
  for (const parent of ['apps', 'packages']) {
    for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const { name } = entry
      const { name: packageName } = JSON.parse(readFileSync(join(folder, parent, name, 'package.json'), 'utf8')) as {
        name: string
      }
      symlinkSync(join('..', '..', parent, name), join(modules, packageName))
      linkNested(join(parent, name), folder)
    }
  }
}

function linkNested(path: string, folder: string): void {
  const nested = join(root, path, 'node_modules')
  if (readdirSync(join(root, path)).includes('node_modules')) symlinkSync(nested, join(folder, path, 'node_modules'))
}
