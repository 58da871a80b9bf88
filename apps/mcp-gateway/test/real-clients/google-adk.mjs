import { MCPToolset } from '@google/adk'

export async function connect(url, headers) {
  const transportOptions = { requestInit: { headers } }
  const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url, transportOptions })
  const tools = await toolset.getTools()
  return {
    names: async () => tools.map(({ name }) => name),
    call: (name, args) => tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} }),
    close: () => toolset.close(),
  }
}
