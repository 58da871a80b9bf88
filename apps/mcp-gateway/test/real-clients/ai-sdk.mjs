import { createMCPClient } from '@ai-sdk/mcp'

export async function connect(url, headers) {
  const client = await createMCPClient({ transport: { type: 'http', url, headers } })
  const tools = await client.tools()
  return {
    names: async () => Object.keys(tools),
    call: (name, args) => tools[name].execute(args, { toolCallId: '1', messages: [] }),
    close: () => client.close(),
  }
}
