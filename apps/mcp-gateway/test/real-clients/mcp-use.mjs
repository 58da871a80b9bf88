// Otherwise it tells its makers that it runs.
process.env['MCP_USE_ANONYMIZED_TELEMETRY'] = 'false'
const { MCPClient } = await import('mcp-use/client')

export async function connect(url, headers) {
  const client = new MCPClient({ mcpServers: { crm: { url, headers } } })
  const session = await client.createSession('crm')
  return {
    names: async () => (await session.listTools()).map(({ name }) => name),
    call: (name, args) => session.callTool(name, args),
    close: () => client.closeAllSessions(),
  }
}
