import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message that a mail server took. */
interface TakenMessage {
  readonly to: readonly string[]
  readonly messageId: string
  readonly content: string
}

/** A real mail server for tests, whose answers can be changed at any time. */
export interface TestMailServer {
  readonly url: string
  /** The messages that it took, also those whose sender never learned it. */
  readonly taken: TakenMessage[]
  /** The reply codes for recipients, by address; others are accepted. */
  readonly answers: Map<string, number>
  /** What happens at the end of a message: TAKE, CUT (taken, and the connection cut before the answer), or a wait for `go`. */
  atEnd: 'TAKE' | 'CUT' | 'THINK'
  /** Lets the messages that the server thinks about be taken. */
  go(): void
  close(): Promise<void>
}

/** Starts a mail server on this machine. */
export async function startMailServer(): Promise<TestMailServer> {
  const taken: TakenMessage[] = []
  const answers = new Map<string, number>()
  const thoughtAbout = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      const code = answers.get(address)
      if (code === undefined) done()
      else done(Object.assign(new Error(code < 500 ? 'try again later' : 'no such mailbox'), { responseCode: code }))
    },
    onData: (stream, { envelope }, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const content = Buffer.concat(pieces).toString()
        const messageId = /^Message-ID: (.*)\r$/im.exec(content)?.[1] ?? ''
        const take = (): void =>
          void taken.push({ to: envelope.rcptTo.map(({ address }) => address), messageId, content })
        if (own.atEnd === 'THINK') return void thoughtAbout.add(() => (take(), done()))
        take()
        if (own.atEnd === 'TAKE') return done()
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own: TestMailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    answers,
    atEnd: 'TAKE',
    go: () => {
      for (const take of thoughtAbout) take()
      thoughtAbout.clear()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return own
}
