import type { Tool } from '@crm/tools'

/** What a client asked to be shown, in the address of the server: `?toolsets=leads,deals` and `?readonly=true`. */
export interface Narrowing {
  /** Null: all. */
  readonly toolsets: ReadonlySet<string> | null
  readonly readOnly: boolean
}

/** Reads the narrowing out of the query. */
export function readNarrowing(query: Readonly<Record<string, unknown>>): Narrowing {
  const { toolsets, readonly } = query
  return {
    toolsets: typeof toolsets === 'string' && toolsets !== '' ? new Set(toolsets.split(',').map((name) => name.trim())) : null,
    readOnly: readonly === 'true',
  }
}

/** Whether a tool is left; what is not listed cannot be called either. */
export function isLeft({ toolset, annotations }: Tool, { toolsets, readOnly }: Narrowing): boolean {
  return (toolsets === null || toolsets.has(toolset)) && (!readOnly || annotations.readOnlyHint)
}
