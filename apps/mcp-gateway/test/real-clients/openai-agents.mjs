import { getAllMcpTools, MCPServerStreamableHttp, RunContext } from '@openai/agents'

export async function connect(url, headers) {
  const server = new MCPServerStreamableHttp({ url, name: 'crm', requestInit: { headers } })
  await server.connect()
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true })
  return {
    names: async () => tools.map(({ name }) => name),
    call: (name, args) => tools.find((tool) => tool.name === name).invoke(new RunContext(), JSON.stringify(args)),
    close: () => server.close(),
  }
}
