import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { edgeFor } from '../edge/generate.ts'
import { freePort, isListening } from '../local/ports.ts'
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
  const dir = mkdtempSync(join(tmpdir(), 'crm-nginx-'))
  const port = await freePort()
  const edge = edgeFor('nginx')
    .replaceAll(/server ([\w-]+):\d+;/g, (_line, service: string) => `server 127.0.0.1:${portOf(service)};`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:8080;', '')
  for (const folder of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(dir, folder))
  const temporary = `client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi; uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;`
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log; events { worker_connections 1024; }\nhttp { access_log off; ${temporary}\n${edge}\n}\n`,
  )
  const child = spawn(program, ['-p', dir, '-e', `${dir}/error.log`, '-c', join(dir, 'nginx.conf')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    await wait(20)
  }
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
