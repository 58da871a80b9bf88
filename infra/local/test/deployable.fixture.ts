// A deployable that prints its environment, and ends on command.
import { createServer } from 'node:http'
import { runProcess } from '@crm/runtime'

await runProcess({
  name: 'fixture',
  start: async () => {
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/crash') === true) process.kill(process.pid, 'SIGKILL')
      const { DATABASE_URL, REDIS_URL, BASE_URL, DATA_DIR, CRM_API_URL } = process.env
      response.end(JSON.stringify({ pid: process.pid, DATABASE_URL, REDIS_URL, BASE_URL, DATA_DIR, CRM_API_URL }))
    })
    await new Promise<void>((resolve) => server.listen(Number(process.env['PORT']), '127.0.0.1', resolve))
    return {
      close: async () => {
        server.closeAllConnections()
        server.close()
      },
    }
  },
})
