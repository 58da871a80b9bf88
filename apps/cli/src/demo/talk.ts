import { newId, schema, type Executor } from '@crm/db'
import { dayMs, type Place } from './place.ts'

interface Talk {
  readonly channel: string
  readonly subject: string
  /** The number of days since it began. */
  readonly daysAgo: number
  /** The messages with the first names of their authors; the answers follow within the hour. */
  readonly said: readonly (readonly [who: string, body: string])[]
}

const topics: Readonly<Record<string, string>> = {
  general: 'What everybody should know',
  sales: 'Deals, offers and how to win them',
  support: 'What customers ask for, and who takes care of it',
}

const talks: readonly Talk[] = [
  {
    channel: 'general',
    subject: 'New price list from next month',
    daysAgo: 6,
    said: [
      ['Maya', 'The new price list is approved and applies to every offer from the first of next month.'],
      ['Jonas', 'What about offers that are out already?'],
      ['Maya', 'They stay as they are until they expire. Please no new ones at the old prices after Friday.'],
      ['Luc', 'I will put a note on the website.'],
    ],
  },
  {
    channel: 'general',
    subject: 'Summer party',
    daysAgo: 2,
    said: [
      ['Sofia', 'The boat is booked for the last Thursday of the month. Who has allergies?'],
      ['Ben', 'Nuts, please.'],
      ['Priya', 'Vegetarian, otherwise happy with everything.'],
    ],
  },
  {
    channel: 'sales',
    subject: 'Rebate for framework agreements',
    daysAgo: 9,
    said: [
      ['Priya', 'A customer asks for twelve per cent if they sign for three years. How far may I go?'],
      ['Maya', 'Ten per cent for three years, eight for two. Above that, talk to me first.'],
      ['Priya', 'They took ten. The contract goes out today.'],
    ],
  },
  {
    channel: 'sales',
    subject: 'Leads from the trade fair',
    daysAgo: 4,
    said: [
      ['Luc', 'All badge scans are imported, with the fair as their source. Sixty of them asked for a call.'],
      ['Jonas', 'I take those from the north, Priya the rest?'],
      ['Priya', 'Fine. Let us call the hot ones by Wednesday.'],
    ],
  },
  {
    channel: 'support',
    subject: 'Invoices arrive twice',
    daysAgo: 1,
    said: [
      [
        'Nora',
        'Two customers say that they got the same invoice twice. It was the same number, so nothing is wrong with the books.',
      ],
      ['Ben', 'Both have two contacts with the same address. I will clean that up.'],
      ['Nora', 'Thank you! I have told them.'],
    ],
  },
]

/** Adds channels with conversations of the team. */
export async function addTalk(tx: Executor, { workspaceId, adminId, members, now }: Place): Promise<void> {
  const idOf = (who: string): string => members.find(({ name }) => name.startsWith(`${who} `))?.id ?? adminId
  const channelIds = Object.fromEntries(Object.keys(topics).map((name) => [name, newId()]))
  const opened = new Date(now.getTime() - 30 * dayMs).toISOString()
  await tx.insert(schema.channels).values(
    Object.entries(topics).map(([name, topic]) => ({
      workspaceId,
      id: channelIds[name],
      name,
      topic,
      createdById: adminId,
      createdAt: opened,
      updatedAt: opened,
    })),
  )
  for (const { channel, subject, daysAgo, said } of talks) {
    const times = said.map((_, at) => new Date(now.getTime() - daysAgo * dayMs + at * 9 * 60_000).toISOString())
    const [first = opened] = times
    const last = times.at(-1) ?? first
    const conversationId = newId()
    await tx.insert(schema.conversations).values({
      workspaceId,
      id: conversationId,
      channelId: channelIds[channel] as string,
      subject,
      lastMessageAt: last,
      createdById: idOf(said[0]?.[0] ?? ''),
      createdAt: first,
      updatedAt: last,
    })
    await tx.insert(schema.conversationMessages).values(
      said.map(([who, body], at) => ({
        workspaceId,
        id: newId(),
        conversationId,
        authorId: idOf(who),
        body,
        createdAt: times[at] ?? first,
      })),
    )
  }
}
