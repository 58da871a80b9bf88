export { readEntries, sealBatch, sealEntries, unsealedWorkspaces } from './chain.ts'
export {
  erasedPart,
  firstPrevHash,
  hashOf,
  isErased,
  privateHashOf,
  toEntry,
  toProven,
  type AuditEntry,
  type ProvenEntry,
} from './entry.ts'
export { isSigned, signStretch, type KeptHead, type SignedHead, type Stretch } from './heads.ts'
export { exportLines } from './export.ts'
export { verifyChain, type BreakReason, type ChainFacts, type Verification } from './verify.ts'
