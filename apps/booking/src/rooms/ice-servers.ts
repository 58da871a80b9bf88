import { createHmac } from 'node:crypto'

/** Servers that help two browsers to find each other. */
export interface IceConfig {
  readonly stunUrls: readonly string[]
  readonly turnUrls: readonly string[]
  /**
   * The secret shared with the TURN server, which then takes credentials that expire by themselves (coturn:
   * `use-auth-secret`).
   */
  readonly turnSecret?: string
}

/** One entry of `iceServers` of an RTCPeerConnection. */
export interface IceServer {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}

const credentialMs = 6 * 3_600_000

/** Returns the servers for one member of a call, with credentials for the TURN server that last some hours. */
export function iceServersFor(member: string, { stunUrls, turnUrls, turnSecret }: IceConfig, now: Date): IceServer[] {
  const stun = stunUrls.length > 0 ? [{ urls: stunUrls }] : []
  if (turnUrls.length === 0 || turnSecret === undefined) return stun
  const username = `${Math.floor((now.getTime() + credentialMs) / 1000)}:${member}`
  // TURN servers expect SHA-1 here.
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
  return [...stun, { urls: turnUrls, username, credential }]
}
