// The floors inside an app: a lower floor does not import from a higher one, and imports have no cycles.
import { dirname, join } from 'node:path/posix'
import { importsOf, type SourceFile } from './sources.ts'

interface Floors {
  /** The folders from the lowest floor to the highest, or that all are one floor. Files beside them are above all, unless they are named. */
  readonly folders: readonly (readonly string[])[] | 'apart'
  /** Folders whose parts do not import each other. */
  readonly apart?: readonly string[]
  /** The one file of such a part that higher floors may import; any file by default. */
  readonly entrance?: string
}

const floorsOf: Readonly<Record<string, Floors>> = {
  'apps/crm-api/src': {
    folders: [
      ['beside'],
      ['platform', 'reach', 'pdf'],
      ['records'],
      ['kinds'],
      ['domain'],
      ['resources'],
      ['across'],
      ['workers'],
    ],
  },
  'apps/crm-api/src/resources': { folders: 'apart' },
  'apps/crm-api/src/resources/sales': { folders: 'apart' },
  'apps/crm-api/src/resources/work': { folders: 'apart' },
  'apps/crm-api/src/resources/papers': { folders: 'apart' },
  'apps/crm-api/src/resources/catalogue': { folders: 'apart' },
  'apps/crm-api/src/resources/finance': { folders: 'apart' },
  'apps/crm-api/src/resources/identity': { folders: 'apart' },
  'apps/crm-api/src/resources/booking': { folders: 'apart' },
  'apps/crm-api/src/resources/conversations': { folders: 'apart' },
  'apps/crm-api/src/resources/workspace': { folders: 'apart' },
  'apps/crm-api/src/resources/automation': {
    folders: [
      ['automation', 'jobs'],
      ['automation-rules', 'automations', 'workflows'],
    ],
  },
  'apps/booking/src': {
    folders: [['rooms'], ['platform'], ['links', 'calendars'], ['slots'], ['bookings'], ['call'], ['pages']],
  },
  'apps/cli/src': { folders: [['config.ts'], ['base'], ['rights.ts'], ['backup'], ['doctor', 'demo'], ['commands']] },
  'apps/mcp-gateway/src': { folders: [['discovery'], ['oauth', 'tools']] },
  'apps/webhooks/src': { folders: [['outside'], ['ingress', 'dispatcher']] },
  'apps/webhooks/src/dispatcher': { folders: [['sending'], ['runs'], ['rules']] },
  'apps/console/web/src': {
    folders: [['texts'], ['base'], ['shell'], ['records'], ['domain'], ['frame'], ['features']],
    apart: ['features'],
    entrance: 'routes.ts',
  },
}

/** Returns every import that leads upward, sideways between separate parts, or into a cycle. */
export function findFloorBreaches(files: readonly SourceFile[]): string[] {
  const inside = files.filter(({ isTest }) => !isTest)
  const graph = new Map(
    inside.map(({ path, code }) => [
      path,
      importsOf(code)
        .map(({ specifier }) => specifier)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(path), specifier)),
    ]),
  )
  return [
    ...[...graph].flatMap(([path, targets]) => targets.flatMap((target) => checkFloor(path, target))),
    ...findCircles(graph),
  ]
}

function checkFloor(path: string, target: string): string[] {
  return Object.keys(floorsOf)
    .filter((root) => path.startsWith(`${root}/`) && target.startsWith(`${root}/`))
    .flatMap((root) => checkFloorIn(root, path, target))
}

function checkFloorIn(root: string, path: string, target: string): string[] {
  const { folders, apart = [], entrance } = floorsOf[root]!
  const [from, to] = [path, target].map((file) => file.slice(root.length + 1).split('/')) as [string[], string[]]
  const [floor, targetFloor] = [from, to].map(([folder = '', ...rest]) =>
    folders === 'apart' ? Number(rest.length === 0) : floorIn(folders, folder, rest.length === 0),
  ) as [number, number]
  if (floor === -1)
    return [`${path} lies in a folder without a floor: add ${from[0] ?? ''} to scripts/check-floors.ts.`]
  if (targetFloor > floor) return [`${path} imports ${target}: that is a higher floor.`]
  if (floor === targetFloor && from.length > 1 && from[0] !== to[0])
    return [`${path} imports ${target}: both are of one floor.`]
  if (from[0] !== to[0] && apart.includes(to[0] ?? '') && entrance !== undefined && to.at(-1) !== entrance)
    return [`${path} imports ${target}: from outside, only ${entrance} of a part of ${to[0] ?? ''} is imported.`]
  const isSideways = from[0] === to[0] && apart.includes(from[0] ?? '') && from[1] !== to[1]
  return isSideways ? [`${path} imports ${target}: the parts of ${from[0] ?? ''} know nothing of each other.`] : []
}

function floorIn(folders: readonly (readonly string[])[], name: string, isFile: boolean): number {
  const floor = folders.findIndex((names) => names.includes(name))
  return floor === -1 && isFile ? folders.length : floor
}

/** Returns one sentence for each cycle of imports, which names the file that closes it. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const way: string[] = []
  const breaches: string[] = []
  const visit = (path: string): void => {
    if (done.has(path)) return
    const met = way.indexOf(path)
    if (met !== -1) {
      breaches.push(
        `${way.at(-1) ?? path} imports ${path} and closes a circle: ${[...way.slice(met), path].join(' → ')}.`,
      )
      return
    }
    way.push(path)
    for (const target of graph.get(path) ?? []) visit(target)
    way.pop()
    done.add(path)
  }
  for (const path of graph.keys()) visit(path)
  return breaches
}
