import type { DeclaredOperation, Surface } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { FastifyInstance } from 'fastify'
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
function refusalFor(app: FastifyInstance, url: string): ApiError {
  const path = url.split('?', 1)[0] ?? url
  const allow = methodsAt(app, path.replace(/\/$/, ''))
  if (allow.length > 0)
    return new ApiError('METHOD_NOT_ALLOWED', { message: `This path takes ${allow.join(', ')}`, allow })
  return new ApiError('NOT_FOUND', { message: 'There is nothing at this path' })
}

const nowhere: DeclaredOperation = {
  id: 'unrouted',
  tool: 'unrouted',
  title: 'No operation',
  key: 'unrouted',
  resource: { name: 'unrouted', module: null, surface: 'public', operations: {} },
  operation: {
    method: 'GET',
    path: '/',
    summary: 'No operation',
    access: 'credential',
    reply: { status: 404, body: z.never() },
  },
}

/** Answers 404 for unknown paths, and 405 for other methods of known ones; a request with a credential is still recognised and counted. */
export function answerUnrouted(
  app: FastifyInstance,
  surface: Surface,
  ports: Pick<AnyPorts, 'recognise' | 'report'>,
): void {
  const steps = surface === 'booking' ? [findWorkspace] : [findWorkspace, authenticate, countRequest, refuseDisabled]
  answerNowhere(app, async (request, reply) => {
    const exchange = {
      declared: nowhere,
      request,
      reply,
      recognition: { workspace: null, caller: null, budget: null, epoch: null },
      input: { params: undefined, query: undefined, body: undefined, customFieldFilters: new Map<string, string>() },
    }
    try {
      await runSteps(steps, exchange, ports as AnyPorts)
      throw refusalFor(app, request.url)
    } catch (error) {
      return answerError(error, request, reply, surface, ports)
    }
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, surface, ports))
}
