import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What a file of tests may not leave open, by the names of Node, and for people. */
const handles = { TCPServerWrap: 'a listening server', ProcessWrap: 'a process', FSEventWrap: 'a watched folder' }
const watched = Object.entries(handles)
/** What ends in the background, such as a server whose connections are closing, is waited for. */
const patienceMs = 5_000

// It ends with the run, however this process ends. Other users, as whom tests start servers, look into it.
const folder = mkdtempSync(join(process.env['TEST_SCRATCH_DIR'] ?? tmpdir(), 'crm-worker-'))
chmodSync(folder, 0o711)
process.env['TMPDIR'] = folder

/** Caches that tools keep there for their next start. */
const caches = /^(?:node-compile-cache|tsx-\d+)$/

let before = inventory()

/** Notes what is there when a test file begins. */
export function beginInventory(): void {
  before = inventory()
}

/** Runs what starts something for all files of this process. */
export async function allowedToStay<T>(start: () => Promise<T>): Promise<T> {
  const earlier = inventory()
  const started = await start()
  const later = inventory()
  before = {
    folders: [...before.folders, ...later.folders.filter((name) => !earlier.folders.includes(name))],
    open: new Map(
      watched.map(([kind]) => [kind, countOf(before, kind) + countOf(later, kind) - countOf(earlier, kind)]),
    ),
  }
  return started
}

/** Removes temporary folders that a test file leaves, and throws with everything that it leaves. */
export async function requireNothingLeft(): Promise<void> {
  const endsAt = Date.now() + patienceMs
  while (openSince().length > 0 && Date.now() < endsAt) await wait(50)
  const folders = inventory().folders.filter((name) => !before.folders.includes(name))
  for (const name of folders) rmSync(join(folder, name), { recursive: true, force: true })
  const left = [...openSince(), ...folders.map((name) => `${name} in the temporary folder`)]
  if (left.length > 0)
    throw new Error(`The test file leaves ${left.join(', ')}: end it after the file (CONTRIBUTING.md)`)
}

interface Inventory {
  readonly folders: readonly string[]
  readonly open: ReadonlyMap<string, number>
}

function inventory(): Inventory {
  const open = process.getActiveResourcesInfo()
  return {
    folders: readdirSync(folder).filter((name) => !caches.test(name)),
    open: new Map(watched.map(([kind]) => [kind, open.filter((name) => name === kind).length])),
  }
}

function countOf({ open }: Inventory, kind: string): number {
  return open.get(kind) ?? 0
}

function openSince(): readonly string[] {
  const now = inventory()
  return watched.filter(([kind]) => countOf(now, kind) > countOf(before, kind)).map(([, name]) => name)
}
