import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
)

/** The program tells a refusal by its exit code and writes the result all the same. */
export async function connect(url, { authorization }) {
  const run = async (...args) => {
    const all = [
      '--cli',
      url,
      '--transport',
      'http',
      '--header',
      `Authorization: ${authorization}`,
      '--method',
      ...args,
    ]
    const running = promisify(execFile)(process.execPath, [program, ...all], { maxBuffer: 2 ** 26 })
    const { stdout } = await running.catch(({ stdout, stderr }) => {
      throw new Error(`${stdout} ${stderr}`)
    })
    return JSON.parse(stdout)
  }
  return {
    names: async () => (await run('tools/list')).tools.map(({ name }) => name),
    call: (name, args) =>
      run(
        'tools/call',
        '--tool-name',
        name,
        ...Object.entries(args).flatMap(([key, value]) => [
          '--tool-arg',
          `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ]),
      ),
  }
}
