import { createRuntime } from 'mcporter'

export async function connect(url, headers) {
  const runtime = await createRuntime({
    servers: [{ name: 'crm', command: { kind: 'http', url: new URL(url), headers } }],
  })
  return {
    names: async () => (await runtime.listTools('crm')).map(({ name }) => name),
    call: (name, args) => runtime.callTool('crm', name, { args }),
    close: () => runtime.close(),
  }
}
