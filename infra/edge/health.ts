/** The address of a deployable. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** The health of the installation as a whole. */
export interface Health {
  readonly status: 'ok' | 'unavailable'
  readonly services: Readonly<Record<string, 'ok' | 'unavailable'>>
}

const readyWithinMs = 3_000

/** Asks every deployable whether it is ready. */
export async function collectHealth(
  services: readonly string[],
  targets: Readonly<Record<string, Target | readonly Target[]>>,
): Promise<Health> {
  const states = await Promise.all(
    services.map(
      async (name) => [name, (await isAnyReady([targets[name] ?? []].flat())) ? 'ok' : 'unavailable'] as const,
    ),
  )
  const status = states.every(([, state]) => state === 'ok') ? 'ok' : 'unavailable'
  return { status, services: Object.fromEntries(states) }
}

async function isAnyReady(targets: readonly Target[]): Promise<boolean> {
  return (await Promise.all(targets.map(isReady))).includes(true)
}

/** Asks one process whether it is ready. */
export async function isReady({ host, port }: Target): Promise<boolean> {
  try {
    const response = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`, {
      signal: AbortSignal.timeout(readyWithinMs),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
