import { ADDRESS_REFUSED } from './target.ts'

/** The error sentences; none holds an address or a cause from the network. */
export const DELIVERY_ERRORS = {
  invalid: 'The request is not valid as configured.',
  refused: ADDRESS_REFUSED,
  timedOut: 'No answer came in time.',
  unreachable: 'The receiver took no connection.',
  hungUp: 'The receiver ended the connection before it had answered.',
  certificate: 'The certificate of the receiver is not valid for this address, or nobody vouches for it.',
  clientCertificate: 'The receiver wants a client certificate, which requests from here do not have.',
  notSecure: 'The receiver speaks no TLS at this address. Try http:// or another port.',
  handshake: 'The receiver and we found no common way to a secure connection. It may want a client certificate.',
  notHttp: 'The receiver does not answer in HTTP/1.1, which requests from here use.',
  headTooLarge: 'The head of the answer is larger than 16 KB.',
  tooLarge: 'The answer is too large.',
  coding: 'The answer is packed in a way that was not asked for, or is damaged.',
  failed: 'The connection failed.',
  redirects: 'The address leads on to other addresses too many times.',
  notSuccess: 'The answer was not a success.',
} as const

/** What kept a request from its answer. */
export type DeliveryFault = keyof typeof DELIVERY_ERRORS

/** The error for a request that got no whole answer; its message tells nothing about the network. */
export class OutboundError extends Error {
  readonly fault: DeliveryFault

  constructor(fault: DeliveryFault, options?: ErrorOptions) {
    super(DELIVERY_ERRORS[fault], options)
    this.name = 'OutboundError'
    this.fault = fault
  }
}

/** The codes of Node, OpenSSL and llhttp; the first that fits counts. */
const byCode: readonly (readonly [RegExp, DeliveryFault])[] = [
  [/^HPE_HEADER_OVERFLOW$/, 'headTooLarge'],
  [/^HPE_|NO_APPLICATION_PROTOCOL$/, 'notHttp'],
  [/^ERR_SSL_.*(?:ALERT_CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_NO_CERTIFICATE)$/, 'clientCertificate'],
  [
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE|RECORD_LAYER_FAILURE)$/,
    'notSecure',
  ],
  [
    /^ERR_TLS_CERT_|CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/,
    'certificate',
  ],
  [/^ERR_SSL_|^EPROTO$/, 'handshake'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT)$/, 'unreachable'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'hungUp'],
]

/** Returns what an error of the connection or of the answer means. */
export function faultOf(error: unknown): DeliveryFault {
  if (error instanceof OutboundError) return error.fault
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return byCode.find(([pattern]) => typeof code === 'string' && pattern.test(code))?.[1] ?? 'failed'
}
