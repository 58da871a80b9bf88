// `node converters.mjs NAME`: every tool of tools.json, into converted.json, as the converter of real clients gives it to a model or checks it with.
import { readFileSync, writeFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { mcpToTool } from '@google/genai'
import { getAllMcpTools } from '@openai/agents'
import { generateText, jsonSchema } from 'ai'
import { jsonSchemaToZod } from 'json-schema-to-zod'
import { convertJsonSchemaToZod } from 'zod-from-json-schema'
import { z } from 'zod'

const byName = (tools, schemaOf) => Object.fromEntries(tools.map((tool) => [tool.name, schemaOf(tool)]))
const asJson = (schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

const converters = {
  /** OpenAI Agents, strict where it can be. */
  'openai-agents': async (tools) => {
    const server = {
      name: 'crm',
      cacheToolsList: true,
      listTools: async () => tools,
      connect: async () => {},
      close: async () => {},
      callTool: async () => [],
      invalidateToolsCache: async () => {},
    }
    const converted = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true })
    return Object.fromEntries(converted.map((t) => [t.name, { ...t.parameters, strict: t.strict }]))
  },
  /** What the AI SDK sends to Gemini. */
  'ai-sdk-google': async (tools) => {
    let sent
    const google = createGoogleGenerativeAI({
      apiKey: 'none',
      fetch: async (_url, { body }) => {
        sent = JSON.parse(body)
        return Response.json({
          candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
        })
      },
    })
    await generateText({
      model: google('gemini-2.5-flash'),
      prompt: 'hello',
      tools: Object.fromEntries(
        tools.map(({ name, description, inputSchema }) => [
          name,
          { description, inputSchema: jsonSchema(inputSchema) },
        ]),
      ),
    })
    return byName(
      sent.tools.flatMap(({ functionDeclarations }) => functionDeclarations),
      ({ parameters, parametersJsonSchema }) => parameters ?? parametersJsonSchema ?? null,
    )
  },
  /** Google’s own library. */
  'google-genai': async (tools) => {
    const client = { listTools: async () => ({ tools }), callTool: async () => ({ content: [] }) }
    const { functionDeclarations } = await mcpToTool(client, {}).tool()
    return byName(
      functionDeclarations,
      ({ parametersJsonSchema, parameters }) => parametersJsonSchema ?? parameters ?? null,
    )
  },
  /** zod’s own reader of schemas, and back. */
  zod: async (tools) => byName(tools, ({ inputSchema }) => asJson(z.fromJSONSchema(inputSchema))),
  'zod-from-json-schema': async (tools) =>
    byName(tools, ({ inputSchema }) => asJson(convertJsonSchemaToZod(inputSchema))),
  'json-schema-to-zod': async (tools) =>
    byName(tools, ({ inputSchema }) => asJson(runInNewContext(jsonSchemaToZod(inputSchema), { z }))),
}

const [, , name] = process.argv
const converted = await converters[name](JSON.parse(readFileSync('tools.json', 'utf8')))
writeFileSync('converted.json', JSON.stringify(converted))
