import { digest, newSecret } from '@crm/identity'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CrmContext } from '../../platform/context.ts'
import { deviceCookieName, readOwnCookie, writeOwnCookie } from './cookies.ts'

const lifetimeS = 2 * 365 * 24 * 60 * 60

/** The person to whom the device belongs. */
interface Owner {
  readonly id: string
  /** The stored hash; a new password makes every device unknown. */
  readonly passwordHash: string | null
  /** The secret of people without a password. */
  readonly deviceKey: string | null
}

/** Returns the id of the device, if the person signed in from it before with the present password. */
export function knownDevice(context: CrmContext, owner: Owner | undefined): string | null {
  const [device, madeAt, signed, rest] =
    readOwnCookie(context.workspace, context.requestHeaders, deviceCookieName)?.split('.') ?? []
  if (!owner || !keyOf(owner) || !device || !madeAt || !signed || rest !== undefined) return null
  const [expected, given] = [Buffer.from(signature(context, owner, device, madeAt)), Buffer.from(signed)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null
  return Date.parse(context.at) - Number(madeAt) < lifetimeS * 1_000 ? device : null
}

/** Returns the cookie by which the device is recognised from now on; a known device keeps its id. */
export function deviceCookie(context: CrmContext, owner: Owner): string {
  const device = knownDevice(context, owner) ?? newSecret().slice(0, 22)
  const madeAt = String(Date.parse(context.at))
  const value = `${device}.${madeAt}.${signature(context, owner, device, madeAt)}`
  return writeOwnCookie(context.workspace, deviceCookieName, value, lifetimeS)
}

/**
 * Returns the signature of a device. The key is the stored digest of the password, which no other program knows and which
 * changes with each password.
 */
function signature({ workspace }: CrmContext, owner: Owner, device: string, madeAt: string): string {
  return createHmac('sha256', digest(`device:${keyOf(owner)}`))
    .update(`${workspace.id}.${owner.id}.${device}.${madeAt}`)
    .digest('base64url')
}

function keyOf({ passwordHash, deviceKey }: Owner): string | null {
  return passwordHash ?? deviceKey
}
