import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareEnv } from '@crm/testkit'
import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { installedBeside } from './installed.ts'

/** The converters of schemas that clients of today use, as people install them. */
const packages = {
  '@ai-sdk/google': '4.0.121',
  '@google/genai': '3.3.0',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  'json-schema-to-zod': '2.8.1',
  zod: '4.6.7',
  'zod-from-json-schema': '0.5.6',
} as const

interface Schema {
  readonly [keyword: string]: unknown
}

interface Tool {
  readonly name: string
  readonly inputSchema: Schema
}

const { workspace, baseUrl } = await startInstallation()
const { key } = await workspace.apiKey()
const folder = installedBeside('converters', packages)

async function toolsOf(mode: string): Promise<readonly Tool[]> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const answer = await fetch(`${baseUrl}/api/mcp${mode}`, { method: 'POST', headers, body })
  const { result } = (await answer.json()) as { readonly result: { readonly tools: readonly Tool[] } }
  return result.tools
}

function converted(converter: string, tools: readonly Tool[]): Readonly<Record<string, Schema>> {
  writeFileSync(join(folder, 'tools.json'), JSON.stringify(tools))
  execFileSync(process.execPath, ['converters.mjs', converter], {
    cwd: folder,
    env: bareEnv(),
    stdio: 'pipe',
    timeout: 120_000,
  })
  return JSON.parse(readFileSync(join(folder, 'converted.json'), 'utf8')) as Record<string, Schema>
}

/** What a schema says at one place. */
interface Said {
  readonly names: Set<string>
  readonly required: Set<string>
  readonly choices: Set<string>
}

const inner = (schema: Schema, keyword: string): readonly unknown[] => (schema[keyword] as unknown[] | undefined) ?? []

/** Returns what a schema says, by place; the parts of an alternative count for the place where it stands. */
function sayings(schema: unknown, root: Schema, place = '', into = new Map<string, Said>()): ReadonlyMap<string, Said> {
  if (schema === null || typeof schema !== 'object') return into
  const node = schema as Schema
  const said = into.get(place) ?? { names: new Set(), required: new Set(), choices: new Set() }
  into.set(place, said)
  for (const part of ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => inner(node, keyword)))
    sayings(part, root, place, into)
  if (typeof node['$ref'] === 'string') {
    const path = node['$ref'].slice(2).split('/')
    sayings(
      path.reduce<unknown>((at, step) => (at as Schema | undefined)?.[step], root),
      root,
      place,
      into,
    )
  }
  const choices = [...inner(node, 'enum'), ...('const' in node ? [node['const']] : [])]
  for (const choice of choices) if (choice !== null) said.choices.add(JSON.stringify(choice))
  for (const name of inner(node, 'required')) said.required.add(String(name))
  for (const [name, member] of Object.entries((node['properties'] ?? {}) as Schema)) {
    said.names.add(name)
    sayings(member, root, `${place}/${name}`, into)
  }
  sayings(node['items'], root, `${place}[]`, into)
  sayings(node['additionalProperties'], root, `${place}{}`, into)
  return into
}

/** Returns the arguments, required ones and choices of a tool that a converter lost. */
function lost({ name, inputSchema }: Tool, after: Schema): readonly string[] {
  const kept = sayings(after, after)
  return [...sayings(inputSchema, inputSchema)].flatMap(([place, said]) =>
    (['names', 'required', 'choices'] as const).flatMap((what) =>
      [...said[what]].filter((one) => !kept.get(place)?.[what].has(one)).map((one) => `${name}${place} ${what} ${one}`),
    ),
  )
}

/** Returns the places of objects into which nothing can be put. */
function closedEmpty(schema: unknown, place: string): readonly string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { type, properties, additionalProperties } = schema as Schema
  const isClosed = type === 'object' && additionalProperties === false && Object.keys(properties ?? {}).length === 0
  return [
    ...(isClosed ? [place] : []),
    ...Object.entries(schema).flatMap(([step, part]) => closedEmpty(part, `${place}/${step}`)),
  ]
}

it.each(['openai-agents', 'ai-sdk-google', 'google-genai', 'zod', 'zod-from-json-schema', 'json-schema-to-zod'])(
  '%s takes every tool of every mode, and loses no argument, requirement or choice',
  async (converter) => {
    for (const mode of ['', '?mode=core', '?readonly=true']) {
      const tools = await toolsOf(mode)
      const after = converted(converter, tools)
      expect(tools.length).toBeGreaterThan(mode === '?mode=core' ? 5 : 100)
      expect(Object.keys(after).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
      expect(tools.flatMap((tool) => lost(tool, after[tool.name] as Schema))).toEqual([])
      // A tool without arguments is closed in strict mode, and says so.
      const hasArguments = tools.filter(({ inputSchema }) => Object.keys(inputSchema['properties'] ?? {}).length > 0)
      expect(hasArguments.flatMap(({ name }) => closedEmpty(after[name], name))).toEqual([])
    }
  },
  300_000,
)
