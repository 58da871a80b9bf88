export { parseCidrs, readCidr } from './address.ts'
export { judgeAddress, checkOutbound } from './check-outbound.ts'
export { chosenBody, freezeRequest, type OutboundBody } from './freeze-request.ts'
export { DELIVERY_ERRORS, OutboundError } from './faults.ts'
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
