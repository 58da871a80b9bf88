import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../local/ports.ts'
import { findProgram } from '../local/programs.ts'

/** A mail in a mailbox. */
interface MailboxMail {
  readonly mailbox: string
  readonly messageId: string
}

/**
 * A real Postfix with mailboxes, whose behaviour follows the local part of the recipient: `slow.…` is examined for twelve seconds before
 * the answer to its end, `refused.…` gets 550, `later.…` gets 450 until `relent`, and the connection of `cut.…` is cut when Postfix
 * has taken the message and before its answer.
 */
export interface Postfix extends AsyncDisposable {
  /** The port that the installation sends to; nobody listens there until `start`. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Takes the mail of those who got 450. */
  relent(): void
  mails(): readonly MailboxMail[]
}

const thinkMs = 12_000

/** Prepares a Postfix with mailboxes for some addresses that takes mail at a port; fails where it is not installed, or where the caller may not start it. */
export async function preparePostfix(port: number, addresses: readonly string[]): Promise<Postfix> {
  const program = findProgram(['postfix'], `${process.env['PATH']}:/usr/sbin`)
  if (program === undefined || userInfo().uid !== 0)
    throw new Error('This drill needs Postfix and root; install it, for example by `apt-get install postfix`')
  const dir = mkdtempSync(join(tmpdir(), 'crm-postfix-'))
  chmodSync(dir, 0o755)
  const [smtpPort, filterPort, againPort] = [await freePort(), await freePort(), await freePort()]
  const conf = join(dir, 'conf')
  const mailboxes = join(dir, 'mailboxes')
  for (const folder of ['conf', 'queue', 'data', 'mailboxes']) mkdirSync(join(dir, folder))
  execFileSync('chown', ['postfix', join(dir, 'data'), mailboxes])
  const writeRefusals = (isLater: boolean): void =>
    writeFileSync(
      join(conf, 'refusals'),
      `/^refused\\./ 550 no such mailbox\n${isLater ? '/^later\\./ 450 try again later\n' : ''}`,
    )
  writeRefusals(true)
  writeFileSync(join(conf, 'mailboxes'), addresses.map((address) => `${address} ${address.split('@')[0]}/\n`).join(''))
  writeFileSync(join(conf, 'main.cf'), mainCf(dir, mailboxes))
  writeFileSync(join(conf, 'master.cf'), masterCf({ smtpPort, filterPort, againPort }))
  const run = (...args: string[]): void => void execFileSync(program, ['-c', conf, ...args], { stdio: 'pipe' })
  const filter = await proxy(filterPort, againPort, (to) => (to.includes('<slow.') ? 'THINK' : 'PASS'))
  let door: Proxy | undefined
  let isRunning = false
  const stop = async (): Promise<void> => {
    await door?.close()
    if (isRunning) run('stop')
    isRunning = false
  }
  return {
    start: async () => {
      run('start')
      isRunning = true
      door = await proxy(port, smtpPort, (to) => (to.includes('<cut.') ? 'CUT' : 'PASS'))
    },
    stop,
    relent: () => {
      writeRefusals(false)
      run('reload')
      // A process of Postfix keeps its tables for as long as it has a connection.
      door?.drop()
    },
    mails: () => readMailboxes(mailboxes),
    [Symbol.asyncDispose]: async () => {
      await stop()
      await filter.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function mainCf(dir: string, mailboxes: string): string {
  const ids = execFileSync('id', ['-u', 'postfix']).toString().trim()
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${join(dir, 'queue')}`,
    `data_directory = ${join(dir, 'data')}`,
    `maillog_file_prefixes = ${dir}`,
    `maillog_file = ${join(dir, 'log')}`,
    'mail_owner = postfix',
    'setgid_group = postdrop',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'myhostname = mail.guest.test',
    'mydestination =',
    'mynetworks = 127.0.0.0/8',
    'smtpd_tls_security_level = none',
    'virtual_mailbox_domains = regexp:{{/./ OK}}',
    `virtual_mailbox_maps = texthash:${join(dir, 'conf', 'mailboxes')}`,
    `virtual_mailbox_base = ${mailboxes}`,
    `virtual_uid_maps = static:${ids}`,
    `virtual_gid_maps = static:${ids}`,
    `virtual_minimum_uid = 1`,
    `smtpd_recipient_restrictions = check_recipient_access regexp:${join(dir, 'conf', 'refusals')}, permit_mynetworks, reject`,
    '',
  ].join('\n')
}

interface Ports {
  readonly smtpPort: number
  readonly filterPort: number
  readonly againPort: number
}

function masterCf({ smtpPort, filterPort, againPort }: Ports): string {
  const again = '-o smtpd_proxy_filter= -o smtpd_recipient_restrictions=permit_mynetworks,reject'
  return [
    `127.0.0.1:${smtpPort} inet n - n - 50 smtpd -o smtpd_proxy_filter=127.0.0.1:${filterPort}`,
    `127.0.0.1:${againPort} inet n - n - 50 smtpd ${again}`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'discard unix - - n - - discard',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
}

interface Proxy {
  /** Ends all connections. */
  drop(): void
  close(): Promise<void>
}

/** Passes an SMTP conversation on, and decides by its recipients what happens to the answer to the end of its message. */
async function proxy(port: number, target: number, decide: (to: string) => 'PASS' | 'THINK' | 'CUT'): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const behind = createConnection({ host: '127.0.0.1', port: target })
    let said = ''
    let isEnded = false
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    client.on('data', (piece: Buffer) => {
      said += piece.toString('latin1')
      isEnded ||= said.endsWith('\r\n.\r\n') || said.includes('\r\n.\r\nQUIT')
      behind.write(piece)
    })
    behind.on('data', (piece: Buffer) => {
      const verdict = isEnded ? decide(said) : 'PASS'
      if (isEnded) [said, isEnded] = ['', false]
      if (verdict === 'CUT') client.destroy()
      else if (verdict === 'THINK') setTimeout(() => client.write(piece), thinkMs)
      else client.write(piece)
    })
  })
  server.listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  if ((server.address() as AddressInfo).port !== port) throw new Error('The port is taken')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    drop,
    close: async () => {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readMailboxes(dir: string): MailboxMail[] {
  return readdirSync(dir).flatMap((mailbox) => {
    const folder = join(dir, mailbox, 'new')
    const files = existsSync(folder) ? readdirSync(folder) : []
    return files.map((file) => {
      const text = readFileSync(join(folder, file), 'latin1')
      return { mailbox, messageId: /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? '' }
    })
  })
}
