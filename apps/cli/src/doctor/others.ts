import { deployableRoles } from '@crm/db'
import { explainMailServer, greetMailServer } from '@crm/mail'
import type { RedisClient, RedisConnection } from '@crm/redis'
import { unsafeIn, type Environment } from '@crm/runtime'
import type { Storage } from '@crm/storage'
import { randomUUID } from 'node:crypto'
import { textOf } from '../backup/content.ts'
import type { Dated } from '../backup/prune.ts'
import { clockDistance } from './database.ts'
import { once } from '../base/once.ts'
import { rolesWithSharedPassword, sharedPasswordRemedy, sharedPasswordSentence, type RolePasswords } from '../rights.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

/** Variables of the deployables that the doctor can judge when it sees them. */
const judged = [
  'DATABASE_URL',
  'REDIS_URL',
  'BASE_URL',
  'RUN_TOKEN_SECRET',
  'SECRETS_KEY',
  'ROLE_PASSWORD',
  ...deployableRoles.map((role) => `ROLE_PASSWORD_${role.toUpperCase()}`),
  'OUTBOUND_ALLOW_CIDRS',
  'CALL_PROVIDER',
]
const clockMsMax = 1_000
const backupHoursMax = 26
/** An address that is for documentation only, so that nobody has it. */
const forgedAddress = '203.0.113.77'

/** Examines the settings that this command was given. */
export function lookAtSettings(env: Environment, passwords: RolePasswords = {}): readonly Finding[] {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const unsafe = unsafeIn(
    judged.filter((name) => set[name] !== undefined),
    set,
  )
  const remedy = 'A deployable does not start with it in production.'
  const weigh = set['NODE_ENV'] === 'production' ? fail : warn
  const shared = rolesWithSharedPassword(passwords)
  const findings = [
    ...unsafe.map((line) => weigh('settings', `${line}.`, remedy)),
    ...(shared.length > 0 ? [warn('settings', sharedPasswordSentence(shared), sharedPasswordRemedy)] : []),
  ]
  return findings.length > 0 ? findings : [ok('settings', 'Nothing in them is unsafe.')]
}

/** Checks that Redis answers and keeps a written value. */
export async function lookAtRedis({ client, isReady }: RedisConnection): Promise<readonly Finding[]> {
  const area = 'redis'
  if (client === undefined)
    return [warn(area, 'There is none.', 'Set REDIS_URL: without it one process counts limits for itself alone.')]
  if (!isReady())
    return [fail(area, 'It does not answer.', 'Look at REDIS_URL, and whether Redis takes connections from here.')]
  const beforeMs = Date.now()
  const [seconds = 0, microseconds = 0] = (await client.time()).map(Number)
  const apartMs = clockDistance(beforeMs, seconds * 1_000 + microseconds / 1_000, Date.now())
  const kept = await keepsWrites(client)
  const settings = await settingsOf(client)
  return [
    kept === true
      ? ok(area, 'It answers, and keeps what is written.')
      : fail(area, `It answers, and takes nothing: ${kept}`, takesNothingRemedy),
    ...(settings === undefined
      ? [
          warn(
            area,
            'It does not say how it is set up.',
            'Allow CONFIG GET for this user, or see that maxmemory-policy is noeviction and appendonly is yes.',
          ),
        ]
      : judgeSettings(settings)),
    apartMs <= clockMsMax
      ? ok(area, 'Its clock agrees with this one.')
      : fail(
          area,
          `Its clock is ${Math.round(apartMs / 1_000)} s away from this one.`,
          'Let both machines follow a time server.',
        ),
  ]
}

const takesNothingRemedy =
  'Give it memory, or let REDIS_URL name the primary and not a copy of it. Until then work comes from PostgreSQL, and limits count for each process alone.'

/** Writes, reads and removes a key; returns the server's refusal where there is one. */
async function keepsWrites(client: RedisClient): Promise<true | string> {
  const key = `crm:doctor:${randomUUID()}`
  try {
    await client.set(key, 'written', 'EX', 60)
    const read = await client.get(key)
    await client.del(key)
    return read === 'written' || 'a key was gone at once.'
  } catch (error) {
    return (error as Error).message
  }
}

interface RedisSettings {
  readonly policy: string | undefined
  readonly appends: string | undefined
}

/** Reads how a server is set up; undefined where it does not say, as many hosted ones. */
async function settingsOf(client: RedisClient): Promise<RedisSettings | undefined> {
  try {
    const [[, policy], [, appends]] = await Promise.all([
      client.config('GET', 'maxmemory-policy'),
      client.config('GET', 'appendonly'),
    ])
    return { policy, appends }
  } catch {
    return undefined
  }
}

function judgeSettings({ policy, appends }: RedisSettings): readonly Finding[] {
  return [
    policy === 'noeviction'
      ? ok('redis', 'It forgets nothing when its memory is full.')
      : fail('redis', `When its memory is full it forgets keys (${policy}).`, 'Set maxmemory-policy to noeviction.'),
    appends === 'yes'
      ? ok('redis', 'It writes what it knows to the disk.')
      : warn(
          'redis',
          'It loses what it knows with a restart.',
          'Set appendonly to yes; PostgreSQL has all of it, so work goes on a little later.',
        ),
  ]
}

/** Writes, reads and removes a content. */
export async function lookAtStorage(storage: Storage): Promise<readonly Finding[]> {
  const key = `doctor/${randomUUID()}`
  const written = 'written by crm doctor'
  await storage.write(key, once(Buffer.from(written)))
  const read = await textOf(await storage.read(key))
  await storage.remove(key)
  return [
    read === written
      ? ok('files', 'A content was written, read and removed.')
      : fail('files', 'A content was read differently from how it was written.', 'Look at the bucket or the folder.'),
  ]
}

/** Greets the mail server. */
export async function lookAtMail(smtpUrl: string | undefined): Promise<readonly Finding[]> {
  if (smtpUrl === undefined)
    return [warn('mail', 'This command knows no server.', 'Set SMTP_URL as the deployables have it.')]
  try {
    await greetMailServer(smtpUrl)
  } catch (error) {
    const known = explainMailServer(error)
    if (known === undefined) throw error
    return [fail('mail', known.fault, known.remedy)]
  }
  return [ok('mail', 'The server greets and takes the password.')]
}

/** Asks for the health of every deployable at the public address. */
export async function lookAtAddress(baseUrl: string): Promise<readonly Finding[]> {
  const area = 'address'
  const answer = await fetch(`${baseUrl}/healthz`, {
    headers: { 'x-crm-doctor': '1', 'x-forwarded-for': forgedAddress },
  })
  const { services = {}, client } = (await answer.json().catch(() => ({}))) as {
    services?: Record<string, string>
    client?: string
  }
  const down = Object.entries(services).filter(([, state]) => state !== 'ok')
  if (Object.keys(services).length === 0)
    return [
      fail(
        area,
        `${baseUrl}/healthz is answered by something else (${answer.status}).`,
        'Let BASE_URL lead to the edge.',
      ),
    ]
  return [
    ...(down.length === 0
      ? [ok(area, `${baseUrl} leads to ${Object.keys(services).length} deployables that are well.`)]
      : down.map(([name]) => fail(area, `${name} does not answer.`, 'Look at its log.'))),
    ...judgeForgery(client),
  ]
}

/** Judges whether the edge believed a forged address; one that tells none is not the edge of this product. */
function judgeForgery(client: string | undefined): readonly Finding[] {
  if (client === undefined) return []
  return client === forgedAddress
    ? [
        warn(
          'address',
          'Whoever asks from here may say which address they come from.',
          'Let TRUSTED_PROXIES of the edge name the proxies in front and nothing else, and let only these reach its port.',
        ),
      ]
    : [ok('address', 'A forged address is not believed.')]
}

/** Judges the backups of a place. */
export function judgeBackups(backups: readonly Dated[], nowMs: number): Finding {
  const verified = backups.flatMap(({ createdAt, verifiedAt }) => (verifiedAt === null ? [] : [Date.parse(createdAt)]))
  return judgeBackupAge(verified.length === 0 ? undefined : (nowMs - Math.max(...verified)) / 1_000)
}

/** Judges the age of the newest verified backup, in seconds; undefined when there is none. */
export function judgeBackupAge(seconds: number | undefined): Finding {
  if (seconds === undefined)
    return warn('backup', 'No backup was verified.', 'Run crm backup create and crm backup verify each day.')
  const hours = Math.floor(seconds / 3_600)
  return hours <= backupHoursMax
    ? ok('backup', `The newest verified one is ${hours} hours old.`)
    : warn('backup', `The newest verified one is ${hours} hours old.`, 'Look why none was made or verified since.')
}
