// `npm run pack:packages [-- --to <folder>]`: the packages that other teams install, as JavaScript with types.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly publishConfig?: { readonly access: string; readonly directory: string; readonly exports: object }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** A package that other teams install. */
export interface PublishedPackage {
  /** Its folder in the repository. */
  readonly folder: string
  /** The folder that is published. */
  readonly built: string
  readonly manifest: Manifest
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the packages that are not private, in the order of their names. */
export function publishedPackages(): readonly PublishedPackage[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .flatMap((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
      const folder = join(root, dirname(path))
      return manifest.private === true
        ? []
        : [{ folder, built: join(folder, manifest.publishConfig?.directory ?? 'build'), manifest }]
    })
}

/**
 * Builds every published package in its `build` folder, which is all that its users get.
 * npm packs a manifest unchanged, so the one in that folder has the exports of `publishConfig` and nothing that only this repository needs.
 *
 * @throws Error that names every import which would not be found there
 */
export function buildPackages(): readonly PublishedPackage[] {
  const packages = publishedPackages()
  const compiled = compile(packages)
  try {
    for (const each of packages) assemble(each, compiled)
  } finally {
    rmSync(compiled, { recursive: true, force: true })
  }
  const leaks = packages.flatMap((each) => findLeaks(each, packages))
  if (leaks.length > 0) throw new Error(leaks.join('\n'))
  return packages
}

/** Packs the built packages into a folder, and returns the files. */
export function packPackages(folders: readonly string[], to: string): readonly string[] {
  mkdirSync(to, { recursive: true })
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to, ...folders], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  })
  return packedFiles(JSON.parse(said)).map((filename) => join(to, filename))
}

/** Newer versions of npm answer by the name of the package, older ones with a list. */
function packedFiles(answer: unknown): readonly string[] {
  return Object.values(answer as Record<string, { readonly filename: string }>).map(({ filename }) =>
    basename(filename),
  )
}

function compile(packages: readonly PublishedPackage[]): string {
  const into = join(root, 'dist/packages')
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const config = join(into, 'tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'packages/tsconfig.published.json'),
      // Each source by its path: the compiler writes nothing of what it meets as an installed package first.
      files: packages.flatMap(({ folder }) =>
        globSync('src/**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', '**/*.fixture.ts'] }).map((path) =>
          join(folder, path),
        ),
      ),
    }),
  )
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return into
}

function assemble({ folder, built, manifest }: PublishedPackage, compiled: string): void {
  rmSync(built, { recursive: true, force: true })
  cpSync(join(compiled, basename(folder), 'src'), join(built, 'dist'), { recursive: true })
  for (const path of globSync('dist/**/*.d.ts', { cwd: built })) nameDeclarations(join(built, path))
  cpSync(join(folder, 'README.md'), join(built, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(built, 'LICENSE'))
  if (existsSync(join(folder, 'CHANGELOG.md'))) cpSync(join(folder, 'CHANGELOG.md'), join(built, 'CHANGELOG.md'))
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`)
}

/** Removes the source names that the compiler writes into declarations, because the sources are not published. */
function nameDeclarations(file: string): void {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replaceAll(/((?:from |import\(|import )(["'])\.{1,2}\/[^"'\n]+)\.ts\2/g, '$1.js$2'),
  )
}

function publishedManifest({
  scripts: _scripts,
  devDependencies: _devDependencies,
  publishConfig,
  ...manifest
}: Manifest): object {
  return { ...manifest, exports: publishConfig?.exports, publishConfig: { access: publishConfig?.access } }
}

/** Returns the imports that would fail where a package is installed, one sentence each. */
function findLeaks({ built, manifest }: PublishedPackage, packages: readonly PublishedPackage[]): string[] {
  const { name, dependencies = {} } = manifest
  const unpublished = Object.keys(dependencies).filter(
    (each) => each.startsWith('@crm/') && packages.every((other) => other.manifest.name !== each),
  )
  const imports = globSync('dist/**/*.{js,d.ts}', { cwd: built }).flatMap((path) =>
    specifiersIn(readFileSync(join(built, path), 'utf8')).flatMap((specifier) => {
      const isThere = specifier.startsWith('.')
        ? specifier.endsWith('.js') && existsSync(resolve(built, dirname(path), specifier))
        : packageOf(specifier) in dependencies
      return isThere ? [] : [`${name}: ${path} imports ${specifier}, which is not there when the package is installed.`]
    }),
  )
  return [...unpublished.map((each) => `${name} depends on ${each}, which is not published.`), ...imports]
}

function specifiersIn(code: string): string[] {
  return [...code.matchAll(/(?:^|[\s;}])(?:from\s*|import\s*\(?\s*)(["'])([^"'\n]+)\1/g)].map(
    ([, , specifier = '']) => specifier,
  )
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  const packages = buildPackages()
  const to = resolve(values.to ?? join(root, 'dist'))
  for (const file of packPackages(
    packages.map(({ built }) => built),
    to,
  ))
    console.log(file)
}
