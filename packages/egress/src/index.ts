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
  createEgress,
  DELIVERY_ERRORS,
  OutboundError,
  type Delivered,
  type Egress,
  type EgressOptions,
  type OutboundFetch,
  type OutboundRequest,
} from './egress.ts'
export { dnsResolver, textResolver, type AddressResolver, type TextResolver } from './resolve.ts'
export { ADDRESS_REFUSED } from './target.ts'
