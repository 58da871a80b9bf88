import { createServer } from 'node:net'
import { ConfigError } from '@crm/runtime'
import { listen } from '../edge/listen.ts'

/** Fails with a line for the person who set PORT when the edge could not listen there. */
export async function requirePort(port: number): Promise<void> {
  const server = createServer()
  try {
    await listen(server, port).catch(explainPort(port))
  } finally {
    server.close()
  }
}

/** Turns the failure to listen on the public port into a line for the person who set PORT. */
export function explainPort(port: number): (error: unknown) => never {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError([`Port ${port} is taken by another program; set PORT to a free one.`])
    if (code === 'EACCES')
      throw new ConfigError([`Port ${port} is kept for the administrator of this machine; set PORT to one above 1023.`])
    throw error
  }
}
