import { createSocket } from 'node:dgram'

const TYPES = { A: 1, AAAA: 28 } as const

/** The answer for a name: the bytes of its addresses, or nothing at all (no such name), or silence. */
export type Zone = Record<string, Partial<Record<keyof typeof TYPES, number[][]>> | 'silence'>

/** Starts a DNS server with a few names on a loopback address; `server` is the value for a resolver. */
export async function startDns(zone: Zone): Promise<{ server: string; close: () => Promise<void> }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = answerTo(query, zone)
    if (answer) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** RFC 1035, section 4.1: the header, the question as asked, and one record for each address. */
function answerTo(query: Buffer, zone: Zone): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = query.readUInt16BE(at + 1)
  const entry = zone[labels.join('.').toLowerCase()]
  if (entry === 'silence') return null
  const addresses = entry?.[type === TYPES.A ? 'A' : 'AAAA'] ?? []
  const header = Buffer.from([query[0]!, query[1]!, 0x81, entry ? 0x80 : 0x83, 0, 1, 0, addresses.length, 0, 0, 0, 0])
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]),
  )
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}
