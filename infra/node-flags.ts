import { totalmem } from 'node:os'

const mb = 1024 * 1024
const heapMbMin = 256
const heapMbMax = 1024
const heapShare = 0.6

/** Returns the bytes that a process may have: the limit of its container, or the memory of the machine. */
function memoryBytes(): number {
  // Without a limit the answer is 0 or more than there is.
  return Math.min(process.constrainedMemory() || Infinity, totalmem())
}

/** Returns the bound of a heap in megabytes where processes may have this many bytes; the rest is for what is not in the heap. */
export function heapMbOf(bytes: number): number {
  return Math.max(heapMbMin, Math.min(heapMbMax, Math.floor((bytes * heapShare) / mb)))
}

/** Returns the flags of Node.js for a deployable (docs/decisions/memory.md); a bound of the heap in NODE_OPTIONS takes the place of ours. */
export function nodeFlagsOf(
  { NODE_OPTIONS = '' }: Readonly<Record<string, string | undefined>>,
  bytes: number = memoryBytes(),
): readonly string[] {
  // A flag of the command line would overrule the one of NODE_OPTIONS.
  const isBounded = /--max[-_](old[-_]space|heap)[-_]size/.test(NODE_OPTIONS)
  return [...(isBounded ? [] : [`--max-old-space-size=${heapMbOf(bytes)}`]), '--disable-warning=ExperimentalWarning']
}

/**
 * The environment of deployables. Otherwise glibc gives every thread an arena of its own, and memory freed in one is never used by others;
 * and a process that ends waits up to forty seconds for a silent name server (docs/decisions/deadlines.md).
 */
export const nodeEnv = { MALLOC_ARENA_MAX: '2', RES_OPTIONS: 'timeout:1' } as const

// A container asks for its flags: `exec node $(node infra/node-flags.ts) main.js`.
if (import.meta.main) console.log(nodeFlagsOf(process.env).join(' '))
