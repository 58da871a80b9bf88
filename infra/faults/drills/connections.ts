import { setTimeout as wait } from 'node:timers/promises'
import { connectRaw, type RawClient } from '../../edge/raw-client.fixture.ts'
import { promise } from '../../stage/drills.ts'
import { tally, type Drill } from '../drill.ts'

const connections = 1_000
const seconds = 20
const address = '127.0.5.1'

/** The ways in which a client uses a connection that it keeps open. */
const uses = (host: string): Readonly<Record<string, string>> => ({
  'says nothing': '',
  'begins a request': `GET /api/me HTTP/1.1\r\nhost: ${host}\r\nx-slow: `,
  'begins a body': `POST /api/leads HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
  'opens a WebSocket': `GET /call/nothing/socket HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  'asks for a stream': `GET /api/mcp HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`,
})

/** One address takes all the connections that it gets, and uses them as little as it can. */
export const manyConnections: Drill = {
  name: `one address opens ${connections.toLocaleString('en')} connections and keeps them`,
  prepare: async ({ port, tenant }) => {
    const { host } = await tenant()
    return async () => {
      const answers: (number | string)[] = []
      const open = new Set<RawClient>()
      const kinds = Object.values(uses(host))
      const openOne = async (n: number): Promise<void> => {
        const client = connectRaw(port, address)
        open.add(client)
        await client.send(kinds[n % kinds.length] ?? '')
        await client.next().then(
          ({ status }) => answers.push(status),
          () => answers.push('closed'),
        )
        await client.ended
        open.delete(client)
      }
      const opened = Array.from({ length: connections }, (_, n) => openOne(n))
      await wait(seconds * 1_000)
      const kept = open.size
      for (const client of open) client.close()
      await Promise.all(opened)
      promise(kept <= 512, `${kept} of ${connections} connections of one address were still open`)
      promise(answers.includes(429), `no connection was refused: ${tally(answers)}`)
      return `${kept} connections were open after ${seconds} seconds; answers: ${tally(answers)}`
    }
  },
}
