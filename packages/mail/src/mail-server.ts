import { isIP } from 'node:net'

/** How much a mail server has to prove, from the strictest to the laxest. */
const tlsModes = ['require', 'verify', 'opportunistic', 'off'] as const
type TlsMode = (typeof tlsModes)[number]

const parameters = new Set(['tls', 'servername'])

/** Returns why an address of a mail server cannot be used; undefined when it can. */
export function faultOfMailServer(smtpUrl: string): string | undefined {
  const url = new URL(smtpUrl)
  const tls = url.searchParams.get('tls')
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name))
  if (unknown !== undefined) return `It may say tls and servername, not ${unknown}`
  if (tls !== null && !isTlsMode(tls)) return `tls is one of ${tlsModes.join(', ')}`
  if (tls === 'off' && url.protocol === 'smtps:') return 'tls=off does not go with smtps'
  if (tls === 'off' && url.username !== '' && !isLoopback(hostOf(url)))
    return 'tls=off with a password is for a server on this machine alone: the password would be readable on the way'
  return undefined
}

function isTlsMode(text: string): text is TlsMode {
  return (tlsModes as readonly string[]).includes(text)
}

/** Returns the address, sign-in and encryption of a mail server in the words of nodemailer. */
export function mailServerOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const host = hostOf(url)
  const tls = (url.searchParams.get('tls') ?? 'verify') as TlsMode
  const servername = url.searchParams.get('servername') ?? undefined
  const hasPassword = url.username !== ''
  return {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: hasPassword ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined,
    // A password never leaves the machine in the clear.
    requireTLS: tls === 'require' || (tls !== 'off' && hasPassword && !isLoopback(host)),
    ignoreTLS: tls === 'off',
    tls: { ...(servername === undefined ? {} : { servername }), rejectUnauthorized: tls !== 'opportunistic' },
  }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A fault of the way to a mail server, in words. */
export interface MailServerFault {
  readonly fault: string
  readonly remedy: string
}

const certificateFaults = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
])

/** Says what is wrong on the way to a mail server, and which setting helps; undefined when no setting is known to help. */
export function explainMailServer(error: unknown): MailServerFault | undefined {
  const {
    code,
    originalCode,
    message = '',
  } = error as Partial<Error> & {
    readonly code?: string
    readonly originalCode?: string
  }
  const cause = originalCode ?? code ?? ''
  if (cause === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      fault: 'The certificate of the mail server is for another name.',
      remedy: 'Add servername=NAME, with the name in its certificate, to SMTP_URL.',
    }
  if (certificateFaults.has(cause) || /certificate/i.test(message))
    return {
      fault: 'Nobody whom this machine trusts has signed the certificate of the mail server.',
      remedy:
        'Name the file of its authority in NODE_EXTRA_CA_CERTS, or add tls=opportunistic to SMTP_URL to encrypt without checking.',
    }
  if (code === 'ETLS')
    return {
      fault: 'The mail server offers no encryption, and SMTP_URL asks for it or has a password.',
      remedy:
        'Use a server with STARTTLS or an address that begins with smtps; tls=off is for a server on this machine.',
    }
  return undefined
}
