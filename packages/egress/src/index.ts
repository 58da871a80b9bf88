export { parseCidrs, readCidr } from './address.ts'
export {
  judgeAddress,
  type AddressJudgement,
  checkOutbound,
  OUTBOUND_METHODS,
  type Allowance,
  type OutboundMethod,
  type OutboundProblem,
  type OutboundSettings,
} from './check-outbound.ts'
export {
  chosenBody,
  freezeRequest,
  type OutboundBody,
  type OutboundTemplate,
  type PlannedRequest,
} from './freeze-request.ts'
export { DELIVERY_ERRORS, OutboundError, type DeliveryFault } from './faults.ts'
export {
  createEgress,
  type Delivered,
  type Egress,
  type EgressOptions,
  type OutboundFetch,
  type OutboundRequest,
} from './egress.ts'
export { dnsResolver, textResolver, type AddressResolver, type TextResolver } from './resolve.ts'
export { ADDRESS_REFUSED } from './target.ts'
