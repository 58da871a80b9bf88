/**
 * Flags of Node.js for every deployable. The young generation is kept small: V8 sizes it after the machine's memory, and
 * on a large machine every process would then hold some hundred megabytes of garbage. Compilers in threads of their own each
 * keep the memory of their largest job (docs/decisions/memory.md).
 */
export const nodeFlags = ['--max-semi-space-size=8', '--max-old-space-size=160', '--no-concurrent-recompilation', '--disable-warning=ExperimentalWarning'] as const

/** Their environment: glibc otherwise gives every thread an arena of its own, and what one frees the others never use. */
export const nodeEnv = { MALLOC_ARENA_MAX: '2' } as const
