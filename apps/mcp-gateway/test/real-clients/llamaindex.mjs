import { mcp } from '@llamaindex/tools'

export async function connect(url, headers) {
  const server = mcp({ url, useSSETransport: false, requestInit: { headers } })
  const tools = await server.tools()
  return {
    names: async () => tools.map(({ metadata }) => metadata.name),
    call: (name, args) => tools.find(({ metadata }) => metadata.name === name).call(args),
    close: () => server.cleanup(),
  }
}
