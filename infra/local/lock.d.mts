/**
 * Takes a lock file for this process, unless a living process holds it.
 *
 * Returns the function that releases it, or the process id of the holder.
 * @param isHolder whether a process id belongs to a program that takes this lock; process ids are used again
 */
export function takeLock(file: string, isHolder?: (pid: number) => boolean): (() => void) | number

/** Takes a lock file, waiting for whoever holds it; returns the function that releases it. */
export function waitForLock(file: string, onWait?: (holder: number) => void): Promise<() => void>

/** The process id that a lock file names, if there is one. */
export function readHolder(file: string): number | undefined
