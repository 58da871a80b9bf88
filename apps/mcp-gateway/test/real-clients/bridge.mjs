import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Connects through a program that hands everything on, as programs do that only start other programs. */
export async function connectThrough(name, program, args) {
  const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  const client = new Client({ name: 'desktop', version: '1' })
  // What it keeps goes with this folder, and not into the home of whoever runs it.
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: join(import.meta.dirname, 'kept') }
  const command = { command: process.execPath, args: [join(home, program), ...args], env, stderr: 'ignore' }
  await client.connect(new StdioClientTransport(command))
  return {
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (tool, given) => client.callTool({ name: tool, arguments: given }),
    close: () => client.close(),
  }
}
