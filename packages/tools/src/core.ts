import { summaryParams } from '@crm/contract'
import { suggestionsFor } from '@crm/errors'
import { elsewhereFor, type Elsewhere } from './elsewhere.ts'
import { freeObject, type JsonSchema } from './compact-schema.ts'
import { inEnglish } from './in-english.ts'
import { bareSchema } from './inner-schema.ts'
import { saidOnce } from './repetition.ts'
import type { Tool } from './tool.ts'
import { vocabularyOf, wordSearch } from './word-search.ts'

/** A tool of the core mode that is not in the full list. */
export const coreOnly = { search: 'search_tools', execute: 'execute_tool', workspace: 'describe_workspace' } as const

/** The tool behind `describe_workspace`. */
const workspaceTool = 'me_workspace'

/** The tools of the core mode, in order, by their names in the full list; they cover the most common requests. */
const everydayTools = [
  'leads_list',
  'leads_summary',
  'leads_create',
  'leads_update',
  'deals_list',
  'deals_summary',
  'deals_update',
  'contacts_list',
  'companies_list',
  'invoices_list',
  'tasks_list',
  'tasks_create',
  'activities_create',
  'feed_list',
] as const

/** The arguments that the core mode names, for every tool that has them; tools accept all others as well. */
const mainArguments: ReadonlySet<string> = new Set(
  [
    'id search status type temperature isOverdue isRotting hasOverdueTask inactiveSince',
    'ownerId assigneeId stageId companyId contactId dealId leadId projectId entityType entityId',
    'amountMin expectedCloseFrom expectedCloseTo closedFrom createdFrom dueFrom dueTo occurredFrom',
    'measures groupBy top sortBy sortOrder fields limit cursor pageSize',
    'firstName lastName companyName email phone title subject body amount expectedCloseDate lostReason',
    'direction priority startAt dueAt links customFields clear',
  ].flatMap((names) => names.split(' ')),
)

/** Arguments whose names say enough. */
const toldByName: ReadonlySet<string> = new Set(['search', 'clear'])

/** A tool as clients see it. */
export interface CoreTool {
  readonly name: string
  /** The tool of the full list that it calls; null for the two tools that find and call others. */
  readonly tool: Tool | null
  readonly descriptor: Readonly<Record<string, unknown>>
}

/** The answer of the search for tools. */
interface FoundTools {
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  readonly elsewhere: readonly Elsewhere[]
}

/** The core mode: few tools, and all others through search. */
export interface CoreMode {
  readonly tools: readonly CoreTool[]
  find(name: string): CoreTool | undefined
  /** Finds tools by words among the tools that a caller may run, and the places of the console for other tasks. */
  search(query: string, limit: number, isAllowed: (tool: Tool) => boolean): FoundTools
}

const text = { type: 'string' } as const
const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const

/** The number of tools in a search result, and the longest answer; the first tool is always shown. */
export const foundTools = { limit: 5, limitMax: 10 } as const
const foundCharactersMax = 5_400

const searchDescriptor = {
  name: coreOnly.search,
  title: 'Find tools',
  description:
    'Finds more tools by words, with their arguments, to be called by execute_tool, and what is done in the console.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { ...text, description: 'What is to be done' },
      limit: { type: 'integer', default: foundTools.limit },
    },
    required: ['query'],
  },
  annotations: readsOnly,
}

const executeDescriptor = {
  name: coreOnly.execute,
  title: 'Call any tool',
  description: 'Calls a tool that search_tools found.',
  inputSchema: {
    type: 'object',
    properties: { name: text, arguments: freeObject },
    required: ['name'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
}

/** Makes the core mode of a full list of tools. */
export function coreMode(all: readonly Tool[]): CoreMode {
  const byName = new Map(all.map((tool) => [tool.name, tool]))
  const known = (name: string): Tool[] => [byName.get(name) ?? []].flat()
  const tools: CoreTool[] = [
    ...['search', 'fetch'].flatMap(known).map((tool) => ({ name: tool.name, tool, descriptor: plainDescriptor(tool) })),
    ...known(workspaceTool).map((tool) => ({
      name: coreOnly.workspace,
      tool,
      descriptor: { ...plainDescriptor(tool), name: coreOnly.workspace },
    })),
    { name: coreOnly.search, tool: null, descriptor: searchDescriptor },
    { name: coreOnly.execute, tool: null, descriptor: executeDescriptor },
    ...everydayTools.flatMap(known).map((tool) => ({ name: tool.name, tool, descriptor: mainDescriptor(tool) })),
  ]
  const findable = all.map((tool) => ({
    tool,
    texts: [tool.name, tool.title, tool.fullDescription, argumentNames(tool)],
  }))
  const find = wordSearch(findable)
  const isEnglish = vocabularyOf(findable.map(({ texts: [name = '', title = ''] }) => ({ texts: [name, title] })))
  return {
    tools,
    find: (name) => tools.find((tool) => tool.name === name),
    search: (asked, limit, isAllowed) => {
      const query = inEnglish(asked, isEnglish)
      const { places: elsewhere, named } = elsewhereFor(query)
      // A place of the console with more of the words is the better answer.
      if (named > Math.max(0, ...find(query).map((one) => one.named))) return { tools: [], elsewhere }
      const near = stepsOf(query).map((step) => {
        const allowed = find(step).filter(({ found: { tool } }) => isAllowed(tool) && isAskedFor(tool, step))
        const best = allowed[0]?.score ?? 0
        return allowed.filter(({ score }) => score >= best * nearEnough).map(({ found: { tool } }) => tool)
      })
      const best = new Set(near.flatMap(([first]) => first ?? []))
      const shown = inTurn(near)
        .slice(0, limit)
        // What the list has already is described again only where it is the answer.
        .map((tool) => (best.has(tool) || !isEveryday(tool) ? fullDescriptor(tool) : mentioned(tool)))
      return { tools: fitting(shown), elsewhere }
    },
  }
}

function argumentNames({ inputSchema }: Tool): string {
  return Object.keys(inputSchema['properties'] ?? {}).join(' ')
}

/** Whether a question may find a tool; tools that delete are found only when the question asks for deletion. */
function isAskedFor({ route }: Tool, question: string): boolean {
  return route.method !== 'DELETE' || /delet|remov|eras|drop|clear|trash|rid\b/i.test(question)
}

/** Returns the steps that a question names, each with its action and object; the whole question where it names none. */
function stepsOf(query: string): readonly string[] {
  const steps = query
    .split(/[,;.\n]|\bthen\b/)
    .map((step) => step.trim().replace(/^and /, ''))
    .filter((step) => step !== '')
  return steps.length > 1 && steps.every((step) => step.includes(' ')) ? steps : [query]
}

/** Returns the first of each list, then the second of each, and so on, without duplicates. */
function inTurn<Thing>(lists: readonly (readonly Thing[])[]): readonly Thing[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)))
  return [...new Set(turns.flat())]
}

/** The smallest score of a match, relative to the best one. */
const nearEnough = 0.7

function fitting<Piece>(pieces: readonly Piece[]): readonly Piece[] {
  let characters = 0
  return pieces.filter((piece, at) => {
    const { length } = JSON.stringify(piece)
    if (at > 0 && characters + length > foundCharactersMax) return false
    characters += length
    return true
  })
}

function plainDescriptor({
  name,
  title,
  description,
  inputSchema,
  annotations,
}: Tool): Readonly<Record<string, unknown>> {
  return { name, title, description, inputSchema, annotations }
}

function mainDescriptor(tool: Tool): Readonly<Record<string, unknown>> {
  const { fullSchema } = tool
  const properties = Object.entries((fullSchema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  // A summary names its questions; its filters are in the list's description beside it.
  const isNamed = (name: string): boolean =>
    mainArguments.has(name) && (!tool.isSummary || summaryParams.includes(name))
  return {
    ...plainDescriptor(tool),
    description: tool.fullDescription,
    inputSchema: saidOnce({
      type: 'object',
      properties: Object.fromEntries(
        properties
          .filter(([name]) => isNamed(name))
          .map(([name, argument]) => [
            name,
            toldByName.has(name) ? bareSchema(argument) : withDefault(tool, name, argument),
          ]),
      ),
      ...(fullSchema['required'] ? { required: fullSchema['required'] } : {}),
      ...(tool.isSummary ? { additionalProperties: { description: `Filters of ${tool.toolset}_list` } } : {}),
    }),
  }
}

/** Adds the default limit to an argument's schema: a call without a limit is sent with the limit of short answers. */
function withDefault({ short: { defaults } }: Tool, name: string, argument: JsonSchema): JsonSchema {
  return name === 'limit' && defaults['limit'] ? { ...argument, default: Number(defaults['limit']) } : argument
}

function isEveryday({ name }: Tool): boolean {
  return (everydayTools as readonly string[]).includes(name)
}

function mentioned({ name, title, annotations }: Tool): Readonly<Record<string, unknown>> {
  return { name, description: `${title}. Its arguments stand in the list of tools.`, annotations }
}

function fullDescriptor(tool: Tool): Readonly<Record<string, unknown>> {
  const { name, annotations, fullDescription, fullSchema } = tool
  return { name, description: fullDescription, inputSchema: fullSchema, annotations }
}

const suggestedMax = 3

/** Returns the tools that an unknown name may mean, the nearest first. */
export function suggestedTools(name: string, known: readonly string[]): readonly string[] {
  const near = Object.values(suggestionsFor([name], known) ?? {})
  const found = wordSearch(known.map((one) => ({ name: one, texts: [one] })))(name).map(({ found: one }) => one.name)
  return [...new Set([...near, ...found])].slice(0, suggestedMax)
}
