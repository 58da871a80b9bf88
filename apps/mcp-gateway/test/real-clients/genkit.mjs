import { createMcpClient } from '@genkit-ai/mcp'
import { genkit } from 'genkit'

export async function connect(url, headers) {
  const ai = genkit({})
  const client = createMcpClient({ name: 'crm', mcpServer: { url, requestInit: { headers } } })
  await client.ready()
  const tools = await client.getActiveTools(ai)
  const nameOf = (tool) => tool.__action.name.split('/').at(-1)
  return {
    names: async () => tools.map(nameOf),
    call: (name, args) => tools.find((tool) => nameOf(tool) === name)(args),
    close: () => client.disable(),
  }
}
