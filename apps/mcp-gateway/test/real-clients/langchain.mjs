import { MultiServerMCPClient } from '@langchain/mcp-adapters'

export async function connect(url, headers) {
  const client = new MultiServerMCPClient({ mcpServers: { crm: { transport: 'http', url, headers } } })
  const tools = await client.getTools()
  return {
    names: async () => tools.map(({ name }) => name),
    call: (name, args) => tools.find((tool) => tool.name === name).invoke(args),
    close: () => client.close(),
  }
}
