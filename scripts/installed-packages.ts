// Projects of other teams, for the tests of packages that they install.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackages, type PublishedPackage } from './pack-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes an empty project with the packages as their users get them, from the packages installed here: nothing is downloaded. */
export function installPacked(folder: string, published: readonly PublishedPackage[]): void {
  const others = dependenciesOf(
    published
      .flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}))
      .filter((name) => !name.startsWith('@crm/')),
  )
  const files = packPackages(
    [...published.map(({ built }) => built), ...others.map((name) => join(root, 'node_modules', name))],
    join(folder, 'tarballs'),
  )
  const names = [...published.map(({ manifest }) => manifest.name), ...others]
  const dependencies = Object.fromEntries(
    names.map((name) => [
      name,
      `file:${files.find((file) => file.includes(`/${name.replace('@', '').replace('/', '-')}-`))}`,
    ]),
  )
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies }),
  )
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'pipe',
  })
}

/** Returns packages with all their transitive dependencies. */
function dependenciesOf(names: readonly string[], known: ReadonlySet<string> = new Set()): readonly string[] {
  const found = new Set(known)
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string> }
    for (const deeper of dependenciesOf(Object.keys(dependencies), found)) found.add(deeper)
  }
  return [...found]
}

/** Installs tools of pinned versions into a folder, such as `esbuild@0.28.1`. */
export function installTools(folder: string, tools: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tools', private: true, type: 'module' }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...tools], {
    cwd: folder,
    stdio: 'pipe',
  })
}
