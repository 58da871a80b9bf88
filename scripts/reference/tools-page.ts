import { toolCatalogue, type Tool } from '@crm/tools'
import { pageHead, table } from './table.ts'

/** Returns the page of every tool in the order in which clients see them. */
export function toolsPage(contract: Parameters<typeof toolCatalogue>[0]): string {
  const { tools } = toolCatalogue(contract)
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    `\`${tool.route.method} ${tool.route.path}\``,
    needs(tool),
    tool.title,
    kind(tool),
  ])
  return `${pageHead(
    'Tools',
    'A tool is offered when the credential holds at least one permission that its path enforces; the call itself needs the exact one.\nThe list can be narrowed in the address of the server: `?toolsets=leads,me&readonly=true`; a toolset is the first word of the operation’s name.',
  )}\n${table(['tool', 'operation', 'needs', 'what it does', 'kind'], rows)}\n`
}

function needs({ description }: Tool): string {
  return /Needs (.*)\.$/m.exec(description)?.[1] ?? ''
}

function kind({ annotations }: Tool): string {
  if (annotations.readOnlyHint) return 'reads'
  return annotations.destructiveHint ? 'changes, deletes or sends' : 'adds'
}
