import { McpClient } from '@strands-agents/sdk'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export async function connect(url, headers) {
  const client = new McpClient({
    transport: new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  })
  const tools = await client.listTools()
  return {
    names: async () => tools.map(({ name }) => name),
    call: (name, args) =>
      client.callTool(
        tools.find((tool) => tool.name === name),
        args,
      ),
    close: () => client.disconnect(),
  }
}
