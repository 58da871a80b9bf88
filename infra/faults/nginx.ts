import { startNginx as startBehind } from '../edge/edges.fixture.ts'
import { routingTable } from '../edge/routes.ts'
import { findProgram } from '../local/programs.ts'

/** nginx as an edge, with the file that `npm run edges` writes. */
export interface Nginx extends AsyncDisposable {
  readonly port: number
}

/** Starts nginx in front of deployables on loopback; fails where it is not installed. */
export async function startNginx(portOf: (service: string) => number): Promise<Nginx> {
  const program = findProgram(['nginx'], `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`)
  if (program === undefined)
    throw new Error('This drill needs nginx; install it, for example by `apt-get install nginx-light`')
  const { port, close } = await startBehind(program, {
    targets: Object.fromEntries(
      routingTable.services.map((name) => [name, [{ host: '127.0.0.1', port: portOf(name) }]]),
    ),
  })
  return { port, [Symbol.asyncDispose]: close }
}
