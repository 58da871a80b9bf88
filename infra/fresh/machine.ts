import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'

/** The folder in which machines are built; `/tmp` is each machine's own. */
const machinesDir = '/var/tmp'

/** The ordinary user of every machine. */
export const ada = { name: 'ada', id: 12_345, home: '/home/ada' } as const

export interface RunOptions {
  /** Runs as the ordinary user instead of root. */
  readonly asUser?: boolean
  readonly cwd?: string
  /** Added to a bare environment with PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>
}

interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** A program that runs in a machine. */
export interface Running {
  /** Returns all output so far. */
  output(): string
  /** Resolves when the output contains a text; fails when the program ends before. */
  waitFor(text: string, withinMs?: number): Promise<void>
  /** Sends a signal to the whole process group, as Ctrl-C in a terminal does. */
  signal(name: NodeJS.Signals): void
  readonly done: Promise<Outcome>
}

/**
 * A disposable view of this machine: its own files over the host's, which stay unchanged, its own processes and its own `/tmp`.
 *
 * Everything that is installed, removed or written in it disappears with it, and so does every process.
 */
export interface Machine {
  run(command: string, options?: RunOptions): Promise<Outcome>
  /** Does the same as `run`, and fails unless the command succeeds. */
  must(command: string, options?: RunOptions): Promise<string>
  start(command: string, options?: RunOptions): Running
  /** Returns the processes whose command line matches, by their ids on the host. */
  processes(pattern: RegExp): { readonly pid: number; readonly command: string }[]
  /** Changes the total size of the machine's writes, such as `60m`. */
  resizeDisk(size: string): Promise<void>
  destroy(): Promise<void>
}

/** The host's settings for outgoing connections: its trusted certificates and its proxy. */
const reachingOut = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i.test(name),
  ),
)

const setup = `set -e
mount --make-rprivate /
mount -t tmpfs -o size="$2" tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --rbind /dev "$1/root/dev"
mount --bind /sys "$1/root/sys"
mount -t tmpfs -o mode=1777 tmpfs "$1/root/tmp"
mount -t tmpfs -o mode=1777 tmpfs "$1/root/dev/shm"
mount -t proc proc "$1/root/proc"
mkdir -p "$1/root/host"
mount --bind "$1" "$1/root/host"
chroot "$1/root" git config --system --add safe.directory '*'
chroot "$1/root" useradd --create-home --uid ${ada.id} --home-dir ${ada.home} ${ada.name}
touch "$1/ready"
exec chroot "$1/root" sh -c 'trap : TERM INT; while :; do sleep 3600 & wait; done'
`

/** The usual limit of a machine's writes. */
export const roomyDisk = '8g'

/**
 * Makes a machine; needs root on Linux.
 *
 * @param variables the environment of every command in it
 */
export async function createMachine(variables: Readonly<Record<string, string>>): Promise<Machine> {
  const dir = mkdtempSync(join(machinesDir, 'crm-machine-'))
  const script = `${dir}.sh`
  writeFileSync(script, setup)
  const holder = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child=KILL', 'sh', script, dir, roomyDisk], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  holder.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const init = await initOf(holder, dir, () => complaint)

  const start = (command: string, options: RunOptions = {}): Running =>
    startIn(init, command, { ...options, env: { ...variables, ...options.env } })
  const run = (command: string, options: RunOptions = {}): Promise<Outcome> => start(command, options).done
  const must = async (command: string, options: RunOptions = {}): Promise<string> => {
    const { code, output } = await run(command, options)
    if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
    return output
  }
  return {
    start,
    run,
    must,
    processes: (pattern) =>
      processesOf(init)
        .map((pid) => ({ pid, command: commandLine(pid) }))
        .filter(({ command }) => pattern.test(command)),
    resizeDisk: async (size) => void (await must(`mount -o remount,size=${size} /host`)),
    destroy: async () => {
      const gone = holder.exitCode === null ? once(holder, 'exit') : undefined
      holder.kill('SIGKILL')
      await gone
      rmSync(dir, { recursive: true, force: true })
      rmSync(script, { force: true })
    },
  }
}

/** Returns the process with the number 1 in the machine. */
async function initOf(holder: ChildProcess, dir: string, complaint: () => string): Promise<number> {
  for (;;) {
    if (holder.exitCode !== null) throw new Error(`The machine could not be made: ${complaint()}`)
    const init = Number(readText(`/proc/${holder.pid}/task/${holder.pid}/children`).trim())
    if (
      init > 0 &&
      readText(`/proc/${init}/root/host/ready`, 'missing') === '' &&
      readlinkSync(`/proc/${init}/root`) !== '/'
    )
      return init
    await waitMs(20)
  }
}

function startIn(init: number, command: string, { asUser = false, cwd = '/', env = {} }: RunOptions): Running {
  const home = asUser ? ada.home : '/root'
  const variables = {
    ...reachingOut,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    ...env,
  }
  const user = asUser ? ['setpriv', `--reuid=${ada.id}`, `--regid=${ada.id}`, '--clear-groups'] : []
  const enter = [
    '--target',
    String(init),
    '--mount',
    '--pid',
    `--root=/proc/${init}/root`,
    `--wd=/proc/${init}/root${cwd}`,
  ]
  const child = spawn(
    'nsenter',
    [
      ...enter,
      'env',
      '-i',
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...user,
      'bash',
      '-c',
      command,
    ],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const done = once(child, 'close').then(([code]): Outcome => ({ code: code as number | null, output }))
  const waitFor = async (text: string, withinMs = 300_000): Promise<void> => {
    const endsAt = Date.now() + withinMs
    while (!output.includes(text)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It ended with ${child.exitCode} before it wrote "${text}":\n${output}`)
      if (Date.now() > endsAt) throw new Error(`There was no "${text}" within ${withinMs / 1_000} s:\n${output}`)
      await waitMs(50)
    }
  }
  return { output: () => output, waitFor, signal: (name) => signalGroup(child.pid ?? 0, name), done }
}

/** Signals a whole group except its leader, which is the entry to the machine and would close. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  for (const name of readdirSync('/proc')) {
    // The name of the program may contain anything; its state, its parent and its group follow behind it.
    const group = Number(readText(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[2])
    if (group === leader && Number(name) !== leader) process.kill(Number(name), signal)
  }
}

/** Returns the host's ids of all processes of a machine. */
function processesOf(init: number): number[] {
  const own = readLink(`/proc/${init}/ns/pid`)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readLink(`/proc/${name}/ns/pid`) === own)
    .map(Number)
}

function commandLine(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function readText(path: string, otherwise = ''): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}
