// Plain JavaScript, because two starts may want to install the dependencies at the same moment.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** A process that died while it removed a dead lock leaves its mark behind; nobody needs longer than this. */
const takeoverMs = 5_000

/**
 * Takes a lock file for this process, unless a living process holds it.
 *
 * Returns the function that releases it, or the process id of the holder.
 * @param isHolder whether a process id belongs to a program that takes this lock; process ids are used again
 */
export function takeLock(file, isHolder = isAlive) {
  for (;;) {
    if (create(file)) return () => rmSync(file, { force: true })
    const holder = readHolder(file)
    if (holder !== undefined && isHolder(holder)) return holder
    removeDead(file, holder)
  }
}

/** Takes a lock file, waiting for whoever holds it; returns the function that releases it. */
export async function waitForLock(file, onWait = () => undefined) {
  for (let waiting = false; ; waiting = true) {
    const taken = takeLock(file)
    if (typeof taken === 'function') return taken
    if (!waiting) onWait(taken)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The process id that a lock file names, if there is one. */
export function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

/** Makes the file with its content at once, so that nobody reads an empty one. */
function create(file) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, String(process.pid), { mode: 0o600 })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft)
  }
}

/** Two processes that find the same dead lock must not remove the new lock of the other one: one of them may remove it. */
function removeDead(file, holder) {
  const mark = `${file}.takeover`
  if (create(mark)) {
    if (readHolder(file) === holder) rmSync(file, { force: true })
    rmSync(mark, { force: true })
  } else if (Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > takeoverMs) {
    rmSync(mark, { force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
