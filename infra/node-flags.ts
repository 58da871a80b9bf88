/**
 * Megabytes of the young generation where 5 are not right. A booking under load lives until its mails are sent, longer than some
 * collections;
 * the CRM API has the largest code and the most data, and its young generation takes three times this number.
 */
const youngMb: Readonly<Record<string, number>> = { booking: 10, 'crm-api': 4 }

/** Returns the young generation of a deployable, in megabytes. */
export function youngMbOf(name: string): number {
  return youngMb[name] ?? 5
}

/**
 * Flags of Node.js for a deployable (docs/decisions/memory.md). The heap is kept small: V8 sizes it by the machine's
 * memory, and on a large machine every process would then hold some hundred megabytes of garbage. Freed pages return to the
 * system within a second. Compilers in threads of their own would each keep the memory of their largest job. In a young generation that
 * cannot grow, V8 begins to create new objects as old ones, and then collects the old generation all the time.
 */
export function nodeFlagsOf(name: string): readonly string[] {
  const mb = youngMbOf(name)
  return [
    `--min-semi-space-size=${mb}`,
    `--max-semi-space-size=${mb}`,
    '--max-old-space-size=96',
    '--memory-pool-timeout=1',
    '--max-large-page-pool-size=4',
    '--no-concurrent-recompilation',
    '--no-allocation-site-pretenuring',
    '--disable-warning=ExperimentalWarning',
  ]
}

/**
 * Their environment. Otherwise glibc gives every thread an arena of its own, and memory freed in one is never used by others; and a
 * process that ends waits up to forty seconds for a silent name server (docs/decisions/deadlines.md).
 */
export const nodeEnv = { MALLOC_ARENA_MAX: '2', RES_OPTIONS: 'timeout:1' } as const
