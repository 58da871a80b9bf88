// Plain JavaScript, because two starts may install the dependencies at the same moment.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** The age of a mark from a process that died while it removed a dead lock; no live process needs this long. */
const takeoverMs = 5_000

/**
 * Takes a lock file for this process, unless a living process holds it.
 *
 * Returns the function that releases it, or the process id of the holder.
 * @param isHolder whether a process id belongs to a program that takes this lock; process ids are reused
 */
export function takeLock(file, isHolder = isAlive) {
  for (;;) {
    if (create(file)) return () => rmSync(file, { force: true })
    const holder = readHolder(file)
    if (holder !== undefined && isHolder(holder)) return holder
    removeDead(file, holder)
  }
}

/** Takes a lock file after waiting for its holder; returns the function that releases it. */
export async function waitForLock(file, onWait = () => undefined) {
  for (let waiting = false; ; waiting = true) {
    const taken = takeLock(file)
    if (typeof taken === 'function') return taken
    if (!waiting) onWait(taken)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns the process id in a lock file, if there is one. */
export function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

/** Creates the file with its content at once, so that no process reads an empty one. */
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

/** Lets one of two processes remove a dead lock, because neither may remove the new lock of the other one. */
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
