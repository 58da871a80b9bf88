import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { bareEnv } from '@crm/testkit'
import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { installedBeside } from './installed.ts'

/** The clients as people install them. docs/guide/tools.md shows the same versions. */
const packages = {
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@ai-sdk/mcp': '2.0.99',
  '@langchain/mcp-adapters': '1.1.4',
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@mastra/mcp': '2.0.0',
  '@mastra/core': '1.71.0',
  '@openai/agents': '0.20.0',
  '@genkit-ai/mcp': '1.42.0',
  genkit: '1.42.0',
  mcporter: '0.12.3',
  'mcp-use': '1.34.6',
  'mcp-remote': '0.15.1',
  supergateway: '4.0.0',
  '@google/adk': '2.0.0',
  '@strands-agents/sdk': '1.19.0',
  '@voltagent/core': '2.10.0',
  ai: '6.0.326',
  '@llamaindex/tools': '0.2.1',
  '@llamaindex/core': '0.6.23',
  '@llamaindex/env': '0.1.31',
} as const

/** What some of the clients need beside them. */
const beside = new Set([
  '@langchain/core',
  '@langchain/langgraph',
  '@mastra/core',
  'genkit',
  'ai',
  '@llamaindex/core',
  '@llamaindex/env',
])

/** What each client does with a refusal (docs/guide/tools.md). */
const refusals = {
  'sdk-1': 'isError',
  'sdk-2': 'isError',
  inspector: 'throws',
  'ai-sdk': 'isError',
  langchain: 'throws',
  mastra: 'throws',
  'openai-agents': 'answer',
  genkit: 'answer',
  mcporter: 'isError',
  'mcp-use': 'isError',
  'mcp-remote': 'isError',
  supergateway: 'isError',
  'google-adk': 'isError',
  strands: 'isError',
  voltagent: 'isError',
  llamaindex: 'isError',
} as const

const { workspace, baseUrl } = await startInstallation()
const { key } = await workspace.apiKey()
const folder = installedBeside('real-clients', packages)

it.each(Object.entries(refusals))(
  '%s lists the tools, makes a record, clears a field and reads a refusal',
  async (client, way) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['story.mjs', client, `${baseUrl}/api/mcp`, key], {
      cwd: folder,
      env: bareEnv(),
      timeout: 180_000,
      maxBuffer: 2 ** 26,
    })
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
    expect(told).toMatchObject({ hasTools: true, city: 'London', jobTitle: null, refused: { way } })
    expect(told['tools']).toBeGreaterThan(250)
    expect((told['refused'] as { text: string }).text).toContain('NOT_FOUND')
  },
  200_000,
)

it('stand in the guide with these versions', () => {
  const guide = readFileSync(new URL('../../../docs/guide/tools.md', import.meta.url), 'utf8')
  for (const [name, version] of Object.entries(packages))
    if (!beside.has(name)) expect(guide).toContain(`${name}\` ${version}`)
})
