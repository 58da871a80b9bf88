import { invoiceMachine } from '../../apps/crm-api/src/resources/finance/invoices/invoices.status.ts'
import { orderMachine } from '../../apps/crm-api/src/resources/finance/orders/orders.status.ts'
import { quoteMachine } from '../../apps/crm-api/src/resources/finance/quotes/quotes.status.ts'

interface Transition {
  readonly from: readonly string[]
  readonly to: string | null
  readonly may: string
  readonly follows: string
}

const machines: Readonly<Record<string, Readonly<Record<string, Transition>>>> = {
  Quotes: quoteMachine,
  Orders: orderMachine,
  Invoices: invoiceMachine,
}

/** Returns the page of the states of quotes, orders and invoices, from the tables that decide them. */
export function statesPage(): string {
  const sections = Object.entries(machines).map(([title, machine]) =>
    [`## ${title}`, '', drawing(machine), '', table(machine)].join('\n'),
  )
  return `${['# States', 'Written by `npm run reference` from the tables that the API decides by. Anything else is `409 INVALID_TRANSITION`.', ...sections].join('\n\n')}\n`
}

function drawing(machine: Readonly<Record<string, Transition>>): string {
  const arrows = Object.entries(machine).flatMap(([verb, { from, to }]) =>
    from.filter((status) => to !== null && status !== to).map((status) => `  ${status} --> ${to}: ${verb}`),
  )
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> DRAFT', ...arrows, '```'].join('\n')
}

function table(machine: Readonly<Record<string, Transition>>): string {
  const rows = Object.entries(machine).map(
    ([verb, { from, to, may, follows }]) =>
      `| ${verb} | ${from.join(', ')} | ${to ?? 'the same, or by what is paid'} | ${may} | ${follows} |`,
  )
  return ['| verb | from | to | who | what follows |', '|---|---|---|---|---|', ...rows].join('\n')
}
