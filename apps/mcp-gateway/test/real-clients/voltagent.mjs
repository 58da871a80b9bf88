import { MCPConfiguration } from '@voltagent/core'

export async function connect(url, headers) {
  const configuration = new MCPConfiguration({
    servers: { crm: { type: 'streamable-http', url, requestInit: { headers } } },
  })
  const tools = await configuration.getTools()
  return {
    names: async () => tools.map(({ name }) => name),
    call: (name, args) => tools.find((tool) => tool.name === `crm_${name}`).execute(args),
    close: () => configuration.disconnect(),
  }
}
