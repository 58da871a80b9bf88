import { createServer, Packet } from 'dns2'

/** A running DNS server that knows text records alone. */
export interface TestDns {
  /** Its address and port, as resolvers take them. */
  readonly address: string
  /** The texts that it answers, by name. */
  readonly texts: Map<string, string>
  close(): Promise<void>
}

/** Starts a DNS server on this computer. */
export async function startDns(): Promise<TestDns> {
  const texts = new Map<string, string>()
  const server = createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request)
      for (const { name } of request.questions) {
        const data = texts.get(name)
        if (data !== undefined)
          response.answers.push({ name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 1, data } as never)
      }
      void send(response)
    },
  })
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const { port } = server.addresses().udp as { port: number }
  return { address: `127.0.0.1:${port}`, texts, close: async () => server.close() }
}
