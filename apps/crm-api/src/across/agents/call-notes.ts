import { isWrite } from '@crm/contract'
import type { Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import type { FastifyInstance } from 'fastify'
import type { AgentOutcome } from '../../platform/agent-calls.ts'
import type { CrmApiDeps } from '../../platform/deps.ts'
import { waitsForWord } from './control.ts'

/** Notes every call of an agent once it is answered; requests that the service sends to itself are part of another one. */
export function noteAgentCalls(app: FastifyInstance, { agentCalls }: CrmApiDeps): void {
  app.addHook('onResponse', (request, reply, next) => {
    const exchange = request.exchange as Exchange<Workspace, Caller> | null
    const { workspace, caller } = exchange?.recognition ?? {}
    if (exchange && !exchange.inner && workspace && caller?.control)
      agentCalls.note(workspace, caller, outcomeOf(exchange, reply.statusCode))
    next()
  })
  app.addHook('onClose', () => agentCalls.flush())
}

function outcomeOf(exchange: Exchange<Workspace, Caller>, status: number): AgentOutcome {
  if (status >= 400) return 'refusals'
  return isWrite(exchange.declared.operation) && !waitsForWord(exchange) ? 'writes' : 'reads'
}
