import type { Socket } from 'node:net'

/** Answers what is no HTTP request, or has too much before its body, with an `error` text as all else is answered; made for `clientErrorHandler`. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text] = brokenRequests[error.code ?? ''] ?? ['400 Bad Request', 'Bad request']
  const body = JSON.stringify({ error: text })
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
}

const brokenRequests: Readonly<Record<string, readonly [status: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request timeout'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Headers too large'],
}
