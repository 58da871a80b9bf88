import type { Environment } from './environment.ts'

/** Secrets that were once published as defaults or appear in examples. */
const published = ['change-this', 'change-me', 'changeme', 'example']
const passwordLengthMin = 12
const secretLengthMin = 32

const namesSecret = /SECRET|PASSWORD|ACCESS_KEY/
const required = ['REDIS_URL', 'BASE_URL', 'RUN_TOKEN_SECRET', 'SECRETS_KEY']
/** Several hosts with ports are no usual address. */
const severalPassword = /^redis\+(?:sentinel|cluster):\/\/[^:@/]*:([^@/]*)@/
const everything = /^(?:0\.0\.0\.0|::)\/0$/

/**
 * Returns the parts of an environment that are not safe enough for production: a line for each variable, and never a value.
 *
 * @param declared the variables that the process understands; all others are ignored
 */
export function unsafeIn(declared: readonly string[], env: Environment): string[] {
  const problems = declared.map((name) => [name, problemOf(name, env, declared)] as const)
  return problems.flatMap(([name, problem]) => (problem === undefined ? [] : [`${name}: ${problem}`]))
}

function problemOf(name: string, env: Environment, declared: readonly string[]): string | undefined {
  const value = env[name]
  if (value === undefined) return missing(name, env, declared)
  if (name === 'BASE_URL') return openAddress(value, env)
  if (name === 'OUTBOUND_ALLOW_CIDRS' && value.split(',').some((cidr) => everything.test(cidr.trim())))
    return 'This lets automation reach every private address; name the ranges'
  if (name === 'CALL_PROVIDER' && value === 'fail')
    return 'fail is for tests only and is refused when NODE_ENV is production'
  return weakSecret(name, value)
}

function missing(name: string, env: Environment, declared: readonly string[]): string | undefined {
  // A process without a database of its own serves files, or stands in front of other processes.
  if (!declared.includes('DATABASE_URL')) return undefined
  if (required.includes(name)) return 'This has to be set when NODE_ENV is production'
  if (name === 'SMTP_URL' && env['MAIL_TO_FILES'] !== 'true')
    return 'This has to be set when NODE_ENV is production, or MAIL_TO_FILES=true where nobody is to get mail'
  return undefined
}

function openAddress(value: string, env: Environment): string | undefined {
  const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: '', hostname: '' }
  const isHere =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'http:' || isHere || env['ALLOW_HTTP'] === 'true') return undefined
  return 'Passwords would travel in the open; use an address with https, or set ALLOW_HTTP=true where nobody can listen'
}

function weakSecret(name: string, value: string): string | undefined {
  if (name === 'DATABASE_REPLICA_URL') {
    const replicas = value.split(/[\s,]+/).map((url) => weakSecret('DATABASE_URL', url))
    return replicas.find((problem) => problem !== undefined)
  }
  const isAddress = URL.canParse(value)
  const secret = isAddress
    ? decoded(new URL(value).password)
    : namesSecret.test(name)
      ? value
      : decoded(severalPassword.exec(value)?.[1] ?? '')
  if (secret === '') return undefined
  if (published.some((text) => secret.toLowerCase().includes(text)))
    return 'This secret stands in the sources for everybody to read; set one of your own'
  if (new Set(secret.replace(/(?<!=)=+$/, '')).size === 1)
    return 'This secret is one character over and over; set a random one'
  if (name.startsWith('RUN_TOKEN_SECRET') && secret.length < secretLengthMin)
    return `This secret is too short; set ${secretLengthMin} characters or more`
  // A secret within an address is a password, whatever the address leads to.
  if ((!namesSecret.test(name) || name.endsWith('PASSWORD')) && secret.length < passwordLengthMin)
    return `This password is too short; set ${passwordLengthMin} characters or more`
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
