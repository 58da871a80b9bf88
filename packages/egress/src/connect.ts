import type { LookupFunction, Socket } from 'node:net'
import type { Cidr } from './address.ts'
import type { Target } from './target.ts'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isAllowedAddress } from './address.ts'

/** Connects to one of the checked addresses, and checks the remote address once more. */
export function connectTo(
  target: Target,
  addresses: readonly string[],
  allowed: readonly Cidr[],
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(target, addresses)
    const abort = () => socket.destroy(new Error('aborted'))
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    socket.once('close', () => {
      signal.removeEventListener('abort', abort)
      reject(new Error('closed'))
    })
    socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      if (isAllowedAddress(socket.remoteAddress ?? '', allowed)) resolve(socket)
      else socket.destroy(new Error('connected to another address'))
    })
    if (signal.aborted) abort()
  })
}

/** The host name is kept for TLS, which verifies it; the addresses are the checked ones. */
function openSocket({ url, host }: Target, addresses: readonly string[]): Socket {
  const isSecure = url.protocol === 'https:'
  const options = {
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    noDelay: true,
  }
  if (!isSecure) return connectTcp(options)
  return connectTls({
    ...options,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
  })
}

function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    if (options.all) callback(null, answers)
    else callback(null, answers[0]!.address, answers[0]!.family)
  }
}
