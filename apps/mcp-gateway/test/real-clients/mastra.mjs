import { MCPClient } from '@mastra/mcp'

export async function connect(url, headers) {
  const client = new MCPClient({ servers: { crm: { url: new URL(url), requestInit: { headers } } } })
  const tools = await client.listTools()
  return {
    names: async () => Object.keys(tools),
    call: (name, args) => tools[`crm_${name}`].execute(args, {}),
    close: () => client.disconnect(),
  }
}
