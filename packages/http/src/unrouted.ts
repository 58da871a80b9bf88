import type { DeclaredOperation, Surface } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { methodsAt } from './known-paths.ts'
import type { AnyPorts } from './exchange.ts'
import { runSteps } from './pipeline.ts'
import { answerError } from './routes.ts'
import { answerNowhere } from './server.ts'
import { authenticate } from './steps/authenticate.ts'
import { countRequest } from './steps/count-request.ts'
import { findWorkspace } from './steps/find-workspace.ts'
import { refuseDisabled } from './steps/refuse-disabled.ts'

/** Returns the refusal for a path without a matching route; a known path has other methods. */
function refusalFor(app: FastifyInstance, url: string, { leftOut = [] }: Unrouted): ApiError {
  const path = url.split('?', 1)[0] ?? url
  if (leftOut.some((name) => path === name || path.startsWith(`${name}/`))) return new ApiError('NOT_IMPLEMENTED')
  const allow = methodsOf(app, url)
  if (allow.length > 0)
    return new ApiError('METHOD_NOT_ALLOWED', { message: `This path takes ${allow.join(', ')}`, allow })
  return new ApiError('NOT_FOUND', { message: 'There is nothing at this path' })
}

/** Returns the methods that the path of an address takes; none for an unknown one. */
function methodsOf(app: FastifyInstance, url: string): readonly string[] {
  return methodsAt(app, (url.split('?', 1)[0] ?? url).replace(/\/$/, ''))
}

/**
 * Whether a browser asks for leave of another origin's page to call. It sends no credential then, and the answer is the one to a method that
 * no path has (docs/guide/access.md).
 */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

const nowhereOf = (surface: Surface): DeclaredOperation => ({
  id: 'unrouted',
  tool: 'unrouted',
  title: 'No operation',
  key: 'unrouted',
  resource: { name: 'unrouted', entity: null, module: null, surface, operations: {} },
  operation: {
    method: 'GET',
    path: '/',
    summary: 'No operation',
    access: 'credential',
    reply: { status: 404, body: z.never() },
  },
})

/** How a surface answers where it has nothing. */
export interface Unrouted {
  readonly surface: Surface
  readonly ports: Pick<AnyPorts, 'recognise' | 'report'>
  /** What the paths of the surface begin with; without it all other paths. */
  readonly below?: string
  /** Paths that the standard of the surface names and the service leaves out: 501. */
  readonly leftOut?: readonly string[]
}

/**
 * Answers 404 for unknown paths, and 405 for other methods of known ones, each in the format of the surface whose paths begin so; a request
 * with a credential is still recognised and counted.
 */
export function answerUnrouted(app: FastifyInstance, usual: Unrouted, ...others: readonly Unrouted[]): void {
  answerNowhere(app, async (request, reply) => {
    const place = others.find(({ below = '/' }) => request.url.startsWith(below)) ?? usual
    const { surface, ports } = place
    const steps = surface === 'booking' ? [findWorkspace] : [findWorkspace, authenticate, countRequest, refuseDisabled]
    const exchange = {
      declared: nowhereOf(surface),
      request,
      reply,
      recognition: { workspace: null, caller: null, budget: null, epoch: null },
      input: { params: undefined, query: undefined, body: undefined, customFieldFilters: new Map<string, string>() },
    }
    try {
      if (!isPreflight(request)) await runSteps(steps, exchange, ports as AnyPorts)
      throw refusalFor(app, request.url, place)
    } catch (error) {
      return answerError(error, request, reply, surface, ports)
    }
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, usual.surface, usual.ports))
}
