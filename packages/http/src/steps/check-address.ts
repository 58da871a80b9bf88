import { ApiError } from '@crm/errors'
import { addressIn } from '@crm/runtime'
import type { Step } from '../exchange.ts'

/** Refuses a credential that is used from an address other than its own (docs/guide/access.md). */
export const checkAddress: Step = (exchange, ports) => {
  const { caller } = exchange.recognition
  if (!caller?.allowedCidrs?.length || addressIn(caller.allowedCidrs)(exchange.request.ip)) return undefined
  return refuse(exchange, ports)
}

async function refuse(exchange: Parameters<Step>[0], ports: Parameters<Step>[1]): Promise<never> {
  await ports.noteForeignAddress?.(exchange)
  throw new ApiError('ADDRESS_NOT_ALLOWED')
}
