import type { Operation } from '@crm/contract'
import type { FastifyInstance } from 'fastify'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** The paths of each server's operations; read only for requests without a route. Bounded: the contract declares them. */
const pathsOf = new WeakMap<FastifyInstance, Map<string, KnownPath>>()

/** Records an operation of a server. */
export function noteMethod(app: FastifyInstance, { method, path }: Pick<Operation, 'method' | 'path'>): void {
  const paths = pathsOf.get(app) ?? new Map<string, KnownPath>()
  pathsOf.set(app, paths)
  const known = paths.get(path) ?? {
    pattern: new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(escaped)
        .join('[^/]+')}$`,
    ),
    methods: new Set<string>(),
  }
  paths.set(path, known)
  known.methods.add(method)
  if (method === 'GET') known.methods.add('HEAD')
}

/** Returns the methods of operations at a path; none for unknown paths. */
export function methodsAt(app: FastifyInstance, path: string): readonly string[] {
  const found = [...(pathsOf.get(app)?.values() ?? [])].filter(({ pattern }) => pattern.test(path))
  return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted()
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
