// The floors inside an app: a lower floor does not import from a higher one, and imports have no cycles.
// `npm run rooms` shows them.
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { importsOf, readSources, type SourceFile } from './sources.ts'

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
  const graph = graphOf(files)
  return [
    ...[...graph].flatMap(([path, targets]) => targets.flatMap((target) => checkFloor(path, target))),
    ...findCircles(graph),
  ]
}

type Graph = ReadonlyMap<string, readonly string[]>

/** Returns the files that each file imports. */
function graphOf(files: readonly SourceFile[]): Graph {
  const inside = files.filter(({ isTest }) => !isTest)
  const importedBy = ({ path, code }: SourceFile): string[] =>
    importsOf(code)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => join(dirname(path), specifier))
  return new Map(inside.map((file) => [file.path, importedBy(file)]))
}

/** Draws the rooms of each app: its floors from the lowest to the highest, and the arrows between its rooms. */
function drawRooms(files: readonly SourceFile[]): string[] {
  const graph = graphOf(files)
  const circles = findCircles(graph)
  const drawn = Object.entries(floorsOf).map(([root, { folders }]) => drawRoomsOf(graph, root, folders))
  return [...drawn, circles.length === 0 ? 'No file leads back to itself by its imports.' : circles.join('\n')]
}

function drawRoomsOf(graph: Graph, root: string, folders: Floors['folders']): string {
  const roomOf = (path: string): string => path.slice(root.length + 1).split('/')[0] ?? ''
  const isInRoom = (path: string): boolean => path.startsWith(`${root}/`) && path.slice(root.length + 1).includes('/')
  const rooms = [...new Set([...graph.keys()].filter(isInRoom).map(roomOf))].toSorted()
  const imports = [...graph]
    .filter(([path]) => isInRoom(path))
    .flatMap(([path, targets]) => targets.filter(isInRoom).map((target) => ({ path, target })))
  const arrows = new Set(
    imports
      .map(({ path, target }) => ({ from: roomOf(path), to: roomOf(target) }))
      .filter(({ from, to }) => from !== to)
      .map(({ from, to }) => `${from} → ${to}`),
  )
  const wrong = imports.flatMap(({ path, target }) => checkFloorIn(root, path, target))
  const floors = folders === 'apart' ? `${rooms.join(' ')}, which know nothing of each other` : floorsIn(folders)
  return `${root}: ${floors}. ${arrows.size} arrows between ${rooms.length} rooms, ${wrong.length} of them up or sideways.`
}

function floorsIn(folders: readonly (readonly string[])[]): string {
  return folders.map((floor) => floor.join(' ')).join(' → ')
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
function findCircles(graph: Graph): string[] {
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

if (import.meta.main)
  for (const line of drawRooms(readSources(fileURLToPath(new URL('..', import.meta.url))))) console.log(line)
