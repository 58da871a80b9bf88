// What a process holds for as long as it runs must not grow with what its clients ask or with time.
import { parseAst } from 'rolldown/parseAst'
import type { SourceFile } from './sources.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name?: string
  readonly [key: string]: unknown
}

/** A place that holds a collection for longer than one call. */
interface Place {
  readonly name: string
  readonly node: Node
  /** The code that may write into it. */
  readonly writers: readonly Node[]
}

const remedy =
  'let an LRUCache of lru-cache hold it, or say in the comment above what bounds it, in a sentence that begins with "Bounded:"'

/**
 * Returns the collections that live longer than a call, are written while requests are answered and say no bound, and every race of
 * promises outside the one piece that may race; one sentence for each.
 */
export function findGrowth(files: readonly SourceFile[]): string[] {
  return files
    .filter(
      ({ path, isTest, isBrowser }) =>
        !isTest && !isBrowser && /^((apps\/(?!cli\/)|packages\/)|infra\/(edge|local)\/)/.test(path),
    )
    .flatMap((file) => [...findCollections(file), ...findRaces(file)])
}

/** The one file that may race promises: its races leave nothing behind. */
const mayRace = 'packages/runtime/src/waits.ts'

function findRaces({ path, code }: SourceFile): string[] {
  if (path === mayRace || !/\bPromise\.(race|any)\(/.test(code)) return []
  return [
    `${path} races promises: each race leaves a reaction on a promise that outlives it, so wait with what @crm/runtime offers (${mayRace}).`,
  ]
}

function findCollections({ path, source }: SourceFile): string[] {
  if (!/\bnew (Map|Set|WeakMap)\b|[:=] (\[\]|\{\})/.test(source)) return []
  const program = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  return placesIn(program)
    .filter(({ name, node, writers }) => writers.some((writer) => writes(writer, name)) && !saysBound(source, node))
    .map(({ name }) => `${path} lets ${name} grow for as long as the process runs: ${remedy}.`)
}

/** Whether the comment above a statement, or behind it in its line, says what bounds it. */
function saysBound(source: string, { start, end }: Node): boolean {
  const above = /(\/\*(?:(?!\*\/)[^])*\*\/|(?:\/\/[^\n]*\n\s*)+)\s*(export )?$/.exec(source.slice(0, start))?.[1] ?? ''
  const behind = /^[^\n]*\/\/([^\n]*)/.exec(source.slice(end))?.[1] ?? ''
  return `${above}${behind}`.includes('Bounded: ')
}

function placesIn(program: Node): Place[] {
  return [...ofModule(program), ...ofClasses(program), ...ofClosures(program)]
}

function ofModule(program: Node): Place[] {
  const functions = within(program, isFunction)
  return (program['body'] as Node[])
    .map((statement) => (statement['declaration'] as Node | null | undefined) ?? statement)
    .flatMap((statement) => declaredIn(statement, isCollection))
    .map((place) => ({ ...place, writers: functions }))
}

function ofClasses(program: Node): Place[] {
  return within(program, ({ type }) => type === 'ClassBody').flatMap((body) =>
    (body['body'] as Node[])
      .filter(({ type, value }) => type === 'PropertyDefinition' && isMap(value as Node | null))
      .map((node) => ({ name: nameOf(node['key'] as Node), node, writers: [body] })),
  )
}

/** The collections of a function that gives functions away: whoever gets these keeps the collection. */
function ofClosures(program: Node): Place[] {
  return within(program, isFunction)
    .filter(givesFunctions)
    .flatMap((made) => {
      const inner = innerFunctions(made)
      return children(made)
        .flatMap((child) => within(child, ({ type }) => type === 'VariableDeclaration', isFunction))
        .flatMap((statement) => declaredIn(statement, isMap))
        .map((place) => ({ ...place, writers: inner }))
    })
}

function innerFunctions(made: Node): Node[] {
  return children(made).flatMap((child) => within(child, isFunction))
}

/** Whether a function returns functions, by themselves or in an object. */
function givesFunctions(made: Node): boolean {
  const named = children(made)
    .flatMap((child) => within(child, ({ type }) => type === 'VariableDeclarator', isFunction))
    .filter(({ init }) => isFunction((init ?? made['body']) as Node))
    .map(({ id }) => nameOf(id as Node))
  const isGiven = (value: Node | null): boolean =>
    value !== null &&
    (isFunction(value) ||
      (value.type === 'Identifier' && named.includes(nameOf(value))) ||
      (value.type === 'ObjectExpression' &&
        (value['properties'] as Node[]).some((each) => isGiven((each['value'] as Node | undefined) ?? null))))
  const returned = children(made).flatMap((child) =>
    within(child, ({ type }) => type === 'ReturnStatement', isFunction),
  )
  return [made['body'] as Node, ...returned.map(({ argument }) => argument as Node | null)].some(isGiven)
}

function declaredIn(statement: Node, isHeld: (init: Node | null) => boolean): Omit<Place, 'writers'>[] {
  if (statement.type !== 'VariableDeclaration') return []
  return (statement['declarations'] as Node[])
    .filter(({ init }) => isHeld(init as Node | null))
    .map(({ id }) => ({ name: nameOf(id as Node), node: statement }))
}

function isCollection(init: Node | null): boolean {
  return isMap(init) || init?.type === 'ArrayExpression' || init?.type === 'ObjectExpression'
}

/** Whether a value is a map or a set; one with weak keys counts when its values can grow. */
function isMap(init: Node | null): boolean {
  if (init?.type === 'TSAsExpression' || init?.type === 'TSSatisfiesExpression')
    return isMap(init['expression'] as Node)
  if (init?.type !== 'NewExpression') return false
  const name = nameOf(init['callee'] as Node)
  if (name === 'Map' || name === 'Set') return true
  return (
    name === 'WeakMap' &&
    within(init, ({ type, typeName }) => type === 'TSTypeReference' && /^(Map|Set)$/.test(nameOf(typeName as Node)))
      .length > 0
  )
}

const writing = new Set(['set', 'add', 'push', 'unshift', 'getOrInsert', 'getOrInsertComputed'])

/** Whether code adds to what has this name. */
function writes(code: Node, name: string): boolean {
  const isHeld = (node: Node | null): boolean => node !== null && nameOf(node) === name
  return within(code, ({ type }) => type === 'CallExpression' || type === 'AssignmentExpression').some((node) => {
    if (node.type === 'AssignmentExpression') {
      const left = node['left'] as Node
      return left.type === 'MemberExpression' && left['computed'] === true && isHeld(left['object'] as Node)
    }
    const callee = node['callee'] as Node
    return callee.type === 'MemberExpression' && writing.has(nameOf(callee)) && isHeld(callee['object'] as Node)
  })
}

/** Returns the last name in `a`, `a.b` or `this.#b`. */
function nameOf(node: Node): string {
  return node.type === 'MemberExpression' ? nameOf(node['property'] as Node) : (node.name ?? '')
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** Returns the nodes that are wanted, from a node downwards; nothing below a node at which it stops. */
function within(node: Node, isWanted: (node: Node) => boolean, stopsAt: (node: Node) => boolean = () => false): Node[] {
  const below = stopsAt(node) ? [] : children(node).flatMap((child) => within(child, isWanted, stopsAt))
  return isWanted(node) ? [node, ...below] : below
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (each): each is Node => typeof each === 'object' && each !== null && 'type' in each,
    ),
  )
}
