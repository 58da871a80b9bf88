/**
 * Flags of Node.js for every deployable (docs/decisions/memory.md). The heap is kept small: V8 sizes it after the machine's
 * memory, and on a large machine every process would then hold some hundred megabytes of garbage. Freed pages go back to the
 * system within a second. Compilers in threads of their own would each keep the memory of their largest job.
 */
export const nodeFlags = [
  '--min-semi-space-size=5', '--max-semi-space-size=5', '--max-old-space-size=96', '--memory-pool-timeout=1', '--max-large-page-pool-size=4',
  '--no-concurrent-recompilation', '--disable-warning=ExperimentalWarning',
] as const

/** Their environment: glibc otherwise gives every thread an arena of its own, and what one frees the others never use. */
export const nodeEnv = { MALLOC_ARENA_MAX: '2' } as const
