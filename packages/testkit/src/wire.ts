import { createServer, connect, type Socket } from 'node:net'
import { afterThisFile } from './cleanup.ts'

/** An event of a connection to PostgreSQL: a sent statement, or the sign that the server is ready for the next. */
type OnTheWire = { readonly sent: string } | { readonly answered: true }

/** A connection path to PostgreSQL that records its traffic. */
export interface Wire {
  /** The connection string of the recorder. */
  readonly url: string
  /** The traffic of each connection, in order. */
  readonly connections: readonly (readonly OnTheWire[])[]
}

const lengthBytes = 4
const startupTypeBytes = 0

/** Routes connections to PostgreSQL through a recorder until the test file ends. */
export async function recordWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl)
  const connections: OnTheWire[][] = []
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    const record: OnTheWire[] = []
    connections.push(record)
    const prepared = new Map<string, string>()
    let bound = ''
    client.on(
      'data',
      messages({ hasStartup: true }, (type, body) => {
        const [first = '', second = ''] = body.toString().split('\0')
        if (type === 'P') prepared.set(first, second)
        if (type === 'B') bound = prepared.get(second) ?? ''
        if (type === 'Q') record.push({ sent: first })
        if (type === 'S') record.push({ sent: bound })
      }),
    )
    upstream.on(
      'data',
      messages({ hasStartup: false }, (type) => void (type === 'Z' && record.push({ answered: true }))),
    )
    join(client, upstream)
    join(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterThisFile(async () => void server.close())
  const url = new URL(databaseUrl)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The recorder has no port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return { url: url.href, connections }
}

function join(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroy())
}

/** Splits the bytes of one direction into messages: a letter, four bytes of length, the body. The first one of a client has no letter. */
function messages(
  { hasStartup }: { readonly hasStartup: boolean },
  take: (type: string, body: Buffer) => void,
): (chunk: Buffer) => void {
  let typeBytes = hasStartup ? startupTypeBytes : 1
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typeBytes + lengthBytes) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return
      take(rest.toString('latin1', 0, typeBytes), rest.subarray(typeBytes + lengthBytes, end))
      rest = rest.subarray(end)
      typeBytes = 1
    }
  }
}
