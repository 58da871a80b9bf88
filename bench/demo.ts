import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../infra/local/ports.ts'

/** Reads from the REST API with the key of the demo workspace, or posts a body, and returns the body of the answer. */
export type Api = (path: string, body?: object) => Promise<Answered>

/** The parts of an answer that a preparation reads. */
interface Answered {
  readonly data: { readonly id: string }
  readonly items: readonly { readonly id: string }[]
}

/** A running product with its demo workspace; disposal stops it and deletes its data. */
export interface RunningDemo extends AsyncDisposable {
  readonly baseUrl: string
  readonly apiKey: string
  readonly api: Api
  /** The process that started all others. */
  readonly pid: number
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts the product like `npm start`, in a folder and on a port of its own. */
export async function startDemo(): Promise<RunningDemo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-agent-'))
  const product = spawn(process.execPath, [join(root, 'infra/local/bootstrap.mjs'), 'start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(product, 'exit')
  const end = async (): Promise<void> => {
    product.kill('SIGINT')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await isReady(product.stdout)
    const { baseUrl, apiKey } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Omit<
      RunningDemo,
      'api' | 'pid'
    >
    return { baseUrl, apiKey, api: apiOf(baseUrl, apiKey), pid: product.pid ?? 0, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Waits for the key of the demo workspace, which is printed when everything runs. */
async function isReady(output: NodeJS.ReadableStream): Promise<void> {
  let printed = ''
  for await (const chunk of output) {
    printed += String(chunk)
    if (printed.includes('Ctrl-C')) break
  }
  if (!printed.includes('Ctrl-C')) throw new Error(`The product did not start:\n${printed}`)
  output.resume()
}

function apiOf(baseUrl: string, apiKey: string): Api {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return async (path, body) => {
    const answer = body
      ? await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      : await fetch(`${baseUrl}${path}`, { headers })
    const read: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(read)}`)
    return read as Answered
  }
}
