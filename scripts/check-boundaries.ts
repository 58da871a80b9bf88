// `npm run check`: the architecture rules that no compiler checks, one sentence for each breach.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrokenCitations } from './check-citations.ts'
import { findSlowExpressions } from './check-expressions.ts'
import { findFloorBreaches } from './check-floors.ts'
import { findFolding } from './check-folding.ts'
import { findGrowth } from './check-growth.ts'
import { findLongFunctions } from './check-functions.ts'
import { findKindTables } from './check-kinds.ts'
import { findLibraryParts } from './check-library-parts.ts'
import { findMigrationBreaches } from './check-migrations.ts'
import { findBorrowedFormats, findZonesInSql } from './check-zones.ts'
import { importsOf, readSources, type SourceFile } from './sources.ts'

/** The layers from the lowest to the highest; a package imports only from layers below its own. */
const layers: readonly (readonly string[])[] = [
  ['bundle', 'errors', 'model', 'postal', 'scheduling'],
  ['permissions'],
  ['contract', 'runtime', 'pricing', 'templates', 'tables', 'redis'],
  ['db'],
  ['openapi', 'tools', 'client', 'identity', 'jobs', 'egress', 'mail', 'storage', 'secrets', 'audit'],
  ['http'],
]

/** Packages that may import less than their layer allows. */
const onlySees: Readonly<Record<string, { readonly packages: readonly string[]; readonly because: string }>> = {
  http: {
    packages: ['contract', 'errors', 'permissions', 'runtime'],
    because: 'what it needs of PostgreSQL and Redis it takes as ports',
  },
  db: { packages: ['errors', 'model', 'permissions', 'runtime'], because: 'rows know nothing of the wire format' },
}

const browserSees = ['errors', 'model', 'permissions', 'contract', 'client', 'postal', 'pricing']
const databaseClients = ['pg', 'drizzle-orm', 'ioredis', 'bullmq']
const forbiddenNames = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'lib',
  'type',
  'types',
  'service',
  'misc',
  'manager',
])

/** The one file that may have a forbidden word in its name, because the word is correct there. */
const nameExceptions = new Set(['apps/crm-api/src/service.ts'])

/** The files that may send requests without the guard of @crm/egress, with the reason. */
const sendsRequests: Readonly<Record<string, string>> = {
  'apps/console/web/src/features/docs/': 'the API reference sends what its reader asks it to, to the workspace itself',
  'apps/console/web/src/base/': 'the browser talks to the address the page came from',
  'packages/egress/': 'it is the guard',
  'packages/client/': 'it talks to the CRM API that its caller names',
  'apps/cli/src/doctor/others.ts': 'it asks BASE_URL how the installation is, which the operator sets',
  'apps/mcp-gateway/src/': 'a tool call is a request to CRM_API_URL, which the operator sets',
  'packages/storage/src/steady-fetch.ts': 'the bucket is at S3_ENDPOINT, which the operator sets',
  'apps/webhooks/src/dispatcher/sending/crm-api.ts':
    'a record step is a request to CRM_API_URL, which the operator sets',
  'apps/booking/web/': 'the browser talks to the address the page came from',
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  /** One entry, or several by path for processes that must stay small. */
  readonly exports?: string | Readonly<Record<string, string>>
}

/** Returns every breach below a root; each is one sentence that begins with the file. */
export function findBreaches(root: string): string[] {
  const rules = [
    checkName,
    checkEnvironment,
    checkRequests,
    checkPageReads,
    checkWaits,
    checkChance,
    checkClocks,
    (file: SourceFile) => checkImports(file, root),
  ]
  const files = readSources(root)
  return [
    ...files.flatMap((file) => rules.flatMap((rule) => rule(file).map((sentence) => `${file.path} ${sentence}.`))),
    ...findFloorBreaches(files),
    ...findLibraryParts(files),
    ...findFolding(files),
    ...findZonesInSql(files),
    ...findBorrowedFormats([...files, ...readSources(root, 'apps/*/web/**/*.js')]),
    ...findGrowth(files),
    ...findKindTables(files),
    ...findLongFunctions(files),
    ...findSlowExpressions(files),
  ]
}

function checkName({ path }: SourceFile): string[] {
  if (nameExceptions.has(path)) return []
  const words = [...dirname(path).split('/').slice(2), basename(path).split('.')[0]!]
  const forbidden = words
    .filter((word) => forbiddenNames.has(word))
    .map((word) => `is called "${word}", which says nothing: name it after what it does`)
  const isKebabCase = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(basename(path))
  return isKebabCase ? forbidden : [...forbidden, 'is not named in kebab-case']
}

function checkEnvironment({ path, code, owner, isTest }: SourceFile): string[] {
  const mayRead = owner === undefined || isTest || /(^|[/.])config\.ts$|(^|\/)main[^/]*\.ts$/.test(path)
  return mayRead || !code.includes('process.env')
    ? []
    : ['reads process.env: only config and main files do, and hand the values on']
}

function checkRequests({ path, code, owner, isTest }: SourceFile): string[] {
  if (owner === undefined || isTest || Object.keys(sendsRequests).some((allowed) => path.startsWith(allowed))) return []
  const sendsByItself = /(?<![.\w])fetch\(|globalThis\.fetch|from 'undici'/.test(code)
  return sendsByItself ? ['sends a request by itself: requests to addresses of users go through @crm/egress'] : []
}

/** A page may still be loading when a test reads it, so a single read would miss content on a slower machine. */
function checkPageReads({ code, isTest, owner }: SourceFile): string[] {
  const readsOnce =
    /expect\(await [^\n]*\.(inputValue|textContent|innerText|allTextContents|count|isChecked|isDisabled|isEnabled|isVisible|getAttribute)\([^)]*\)\)|expect\([^\n)]*new URL\(\w+\.url\(\)\)/
  return owner !== undefined && isTest && readsOnce.test(code)
    ? ['reads a page once: let expect.poll wait for what is to be there']
    : []
}

/** What waits with a library's usual second fails on a machine that is slow. */
function checkWaits({ path, code }: SourceFile): string[] {
  const isAllowed = path === 'packages/testkit/src/eventually.ts' || path.startsWith('scripts/')
  return !isAllowed && /\bvi\s*\.wait(?:For|Until)\(/.test(code)
    ? ['waits with the usual time of Vitest: use eventually of @crm/testkit']
    : []
}

/** What a bound of time would show, an order or a refusal shows as well, and on a slow machine too. */
function checkClocks({ code, path, isTest }: SourceFile): string[] {
  const boundsTime =
    /expect\([^\n]*(?:performance\.now\(\)|Date\.now\(\)|\bdurationMs\b|\btookMs\b)[^\n]*\)\s*\.toBeLessThan/
  return isTest && !path.startsWith('scripts/') && boundsTime.test(code)
    ? ['bounds the time that something takes: a slow machine is no fault']
    : []
}

/** A test that draws other values in every run fails for somebody who changed something else. */
function checkChance({ path, code, isTest }: SourceFile): string[] {
  const drawsByItself =
    /\bMath\.random\(|\brandomInt\(|\bgetRandomValues\(|\bprng\b|\bseed:\s*(?:Date|performance|process)\b|createRandom\((?:Date|performance|process)\b/
  return isTest && !path.startsWith('scripts/') && drawsByItself.test(code)
    ? ['draws values that no run draws again: use seed, unique or noise of @crm/testkit']
    : []
}

function checkImports(file: SourceFile, root: string): string[] {
  if (file.owner === undefined) return []
  return importsOf(file.code).flatMap(({ specifier, isTypeOnly }) =>
    specifier.startsWith('.') ? checkRelative(file, specifier) : checkBare(file, specifier, isTypeOnly, root),
  )
}

function checkRelative(file: SourceFile, specifier: string): string[] {
  const target = relative('/', resolve('/', dirname(file.path), specifier))
    .split(sep)
    .join('/')
  if (file.owner === 'apps/mcp-gateway' && /handlers/.test(target)) return [importsHandlers(specifier)]
  if (target.startsWith(`${file.owner}/`)) return []
  // The same code starts the servers that tests and npm start share.
  if (file.owner === 'packages/testkit' && target.startsWith('infra/local/')) return []
  return [`imports ${specifier}: a package reaches into no other, it imports @crm/<name>`]
}

function checkBare(file: SourceFile, specifier: string, isTypeOnly: boolean, root: string): string[] {
  if (specifier.startsWith('node:')) return []
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const breaches = name.startsWith('@crm/')
    ? checkPackage(file, specifier, name.slice('@crm/'.length), root)
    : checkExternal(file, name)
  return [...breaches, ...checkDeclared(file, name, isTypeOnly, root)]
}

function checkExternal({ owner }: SourceFile, name: string): string[] {
  if (owner !== 'packages/http' || !databaseClients.includes(name)) return []
  return [`imports ${name}: ${onlySees['http']?.because ?? ''}`]
}

function checkPackage(file: SourceFile, specifier: string, imported: string, root: string): string[] {
  const { owner = '', isTest, isBrowser } = file
  const [kind, own = ''] = owner.split('/')
  if (imported === own) return [`imports its own package ${specifier}: inside a package imports are relative`]
  if (isApp(imported, root)) return [`imports the app ${specifier}: an app never imports another one`]
  if (!isExported(specifier, imported, root))
    return [`imports ${specifier}: only what @crm/${imported} exports is public`]
  if (imported === 'testkit') return isTest ? [] : [`imports ${specifier}: the testkit is for tests`]
  if (own === 'testkit') return []
  if (own === 'mcp-gateway' && /handlers/.test(specifier)) return [importsHandlers(specifier)]
  if (isBrowser && !isTest && !browserSees.includes(imported))
    return [`imports ${specifier}: browser code sees ${browserSees.join(', ')} only`]
  if (kind === 'apps') return []

  const restriction = onlySees[own]
  if (restriction !== undefined && !restriction.packages.includes(imported))
    return [`imports ${specifier}: ${restriction.because}`]
  const [ownLayer, importedLayer] = [layerOf(own), layerOf(imported)]
  if (ownLayer === -1) return [`belongs to ${owner}, which has no layer yet: add it to scripts/check-boundaries.ts`]
  if (importedLayer === -1)
    return [`imports ${specifier}, which has no layer yet: add it to scripts/check-boundaries.ts`]
  if (importedLayer < ownLayer) return []
  return [`imports ${specifier}: ${importedLayer === ownLayer ? 'both are of one layer' : 'that is a higher layer'}`]
}

function checkDeclared(
  { path, owner = '', isTest, isBrowser }: SourceFile,
  name: string,
  isTypeOnly: boolean,
  root: string,
): string[] {
  const { dependencies = {}, devDependencies = {} } = readManifest(join(root, owner))
  // What stands beside the manifest builds the package.
  const isForTheBuild = dirname(path) === owner
  const isLeftOutOfImages = isTest || isBrowser || isTypeOnly || isForTheBuild || owner === 'packages/bundle'
  const declared = {
    ...dependencies,
    ...(isLeftOutOfImages ? devDependencies : {}),
    ...(isTest ? readManifest(root).devDependencies : {}),
  }
  const isDeclared = name in declared || (isTypeOnly && `@types/${name}` in declared)
  // Packages below the testkit cannot declare it: npm would allow the cycle, turbo does not.
  if (isDeclared || (isTest && name === '@crm/testkit')) return []
  return [
    `imports ${name}, which ${owner}/package.json does not declare${isLeftOutOfImages ? '' : ' under dependencies'}`,
  ]
}

function importsHandlers(specifier: string): string {
  return `imports ${specifier}: a tool call is an HTTP request to the CRM API, never a call of its handlers`
}

function layerOf(name: string): number {
  return layers.findIndex((layer) => layer.includes(name))
}

function isApp(name: string, root: string): boolean {
  return globSync(`apps/${name}/package.json`, { cwd: root }).length > 0
}

/** Whether a package has an entry; the usual entry is the package name alone. */
function isExported(specifier: string, imported: string, root: string): boolean {
  const entry = specifier.slice(`@crm/${imported}`.length)
  if (entry === '') return true
  const { exports } = readManifest(join(root, 'packages', imported))
  return typeof exports === 'object' && `.${entry}` in exports
}

const manifests = new Map<string, Manifest>()

function readManifest(folder: string): Manifest {
  const known = manifests.get(folder)
  if (known !== undefined) return known
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  manifests.set(folder, manifest)
  return manifest
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const breaches = [...findBreaches(root), ...findBrokenCitations(root), ...findMigrationBreaches(root)]
  for (const breach of breaches) console.error(breach)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
