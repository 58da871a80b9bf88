// An SMTP server that accepts every message and keeps none, in a process of its own so that it takes no time from the load.
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'

const { PORT, SMTP_PORT } = process.env
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => stream.resume().on('end', () => done()),
})
// A client that disconnects without notice is no fault.
smtp.on('error', () => undefined)
smtp.listen(Number(SMTP_PORT), '127.0.0.1')
const http = createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1')
process.once('SIGTERM', () => {
  smtp.close()
  http.close()
  http.closeAllConnections()
})
