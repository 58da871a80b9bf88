// `npm run bench:agent`: everyday tasks of an AI client in the core mode of the tool server, in calls and tokens of their answers.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { tasks, type Agent, type Arguments, type Fields } from './agent-tasks.ts'
import { startDemo } from './demo.ts'

const aims = { list: 4_000, workspace: 2_500, row: 80, feedItem: 90 } as const

interface Figure {
  readonly name: string
  readonly calls: number
  readonly tokens: number
  readonly aim: { readonly calls: number; readonly tokens: number }
}

console.log('Starting the product with its demo workspace')
await using demo = await startDemo()
const client = await connect(demo.baseUrl, demo.apiKey)
const figures: Figure[] = []
const pieces: Record<'row' | 'feedItem', number> = { row: 0, feedItem: 0 }

const list = countTokens(JSON.stringify(await client.listTools()))
const described = textOf(await client.callTool({ name: 'describe_workspace', arguments: {} }))
if (process.env['VERBOSE']) console.log(described)
const workspace = countTokens(described)
for (const { name, aim, prepare, run } of tasks) {
  const prepared = await prepare?.(demo.api)
  const agent = newAgent()
  await run(agent, prepared ?? {})
  figures.push({ name, aim, calls: agent.calls, tokens: agent.tokens })
}
await client.close()
tell()

interface CountingAgent extends Agent {
  readonly calls: number
  readonly tokens: number
}

function newAgent(): CountingAgent {
  const spent = { calls: 0, tokens: 0 }
  const call = async (name: string, args: Arguments): Promise<Fields> => {
    const result = await client.callTool({ name, arguments: args })
    const text = textOf(result)
    spent.calls += 1
    spent.tokens += countTokens(text)
    if (process.env['VERBOSE']) console.log(`  ${name} ${JSON.stringify(args)}\n    ${countTokens(text)}: ${text}`)
    if (result['isError'] === true) throw new Error(`${name} ${JSON.stringify(args)} was refused: ${text}`)
    const body = JSON.parse(text) as Fields
    measurePieces(name, body)
    return body
  }
  return {
    call,
    execute: (name, args) => call('execute_tool', { name, arguments: args }),
    get calls() {
      return spent.calls
    },
    get tokens() {
      return spent.tokens
    },
  }
}

/** Records the cost of a list's largest row, and of a feed's largest item. */
function measurePieces(name: string, { items }: Fields): void {
  if (!Array.isArray(items) || !(name === 'feed_list' || name.endsWith('_list'))) return
  const piece = name === 'feed_list' ? 'feedItem' : 'row'
  for (const item of items) pieces[piece] = Math.max(pieces[piece], countTokens(JSON.stringify(item)))
}

async function connect(baseUrl: string, key: string): Promise<Client> {
  const connected = new Client({ name: 'bench', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp?mode=core`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await connected.connect(transport)
  return connected
}

/** Returns the part of a result that a model reads. */
function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] }
  return content.map(({ text = '' }) => text).join('')
}

function tell(): void {
  const rows = [
    ['task', 'calls', 'tokens', 'aim'],
    ...figures.map(({ name, calls, tokens, aim }) => [
      name,
      String(calls),
      tokens.toLocaleString('en'),
      `${aim.calls} / ${aim.tokens.toLocaleString('en')}${isMet({ name, calls, tokens, aim }) ? '' : '  missed'}`,
    ]),
    ...(
      [
        ['list of tools', list, aims.list],
        ['describe_workspace', workspace, aims.workspace],
        ['dearest row of a list', pieces.row, aims.row],
        ['dearest item of a feed', pieces.feedItem, aims.feedItem],
      ] as const
    ).map(([name, tokens, aim]) => [
      name,
      '',
      tokens.toLocaleString('en'),
      `${aim.toLocaleString('en')}${tokens <= aim ? '' : '  missed'}`,
    ]),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  for (const [name = '', calls = '', tokens = '', aim = ''] of rows)
    console.log(
      `${name.padEnd(widths[0] ?? 0)}  ${calls.padStart(widths[1] ?? 0)}  ${tokens.padStart(widths[2] ?? 0)}  ${aim}`,
    )
}

function isMet({ calls, tokens, aim }: Figure): boolean {
  return calls <= aim.calls && tokens <= aim.tokens
}
