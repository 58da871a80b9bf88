export { readEntries, sealBatch, sealEntries } from './chain.ts'
export {
  erasedPart,
  firstPrevHash,
  hashOf,
  isEntry,
  isErased,
  privateHashOf,
  toEntry,
  toProven,
  type AuditEntry,
  type ProvenEntry,
} from './entry.ts'
export { isHead, isSigned, signStretch, type KeptHead, type SignedHead, type Stretch } from './heads.ts'
export { keepHead, provesStretch, readKeptHeads, renewKeptHeads, type KeptHeads } from './kept-heads.ts'
export { exportLines } from './export.ts'
export { verifyChain, type BreakReason, type ChainFacts, type Verification } from './verify.ts'
