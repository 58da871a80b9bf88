import { newId, schema } from '@crm/db'
import { add, later, type Story } from './story.ts'

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
export async function addTalk(story: Story): Promise<void> {
  const { adminId, members, now } = story
  const idOf = (who = ''): string => members.find(({ name }) => name.startsWith(`${who} `))?.id ?? adminId
  const channelIds = new Map(Object.keys(topics).map((name) => [name, newId()]))
  const opened = later(now, -30)
  const stamps = { createdById: adminId, createdAt: opened, updatedAt: opened }
  await add(
    story,
    schema.channels,
    Object.entries(topics).map(([name, topic]) => ({ id: channelIds.get(name), name, topic, ...stamps })),
  )
  for (const { channel, subject, daysAgo, said } of talks) {
    const conversationId = newId()
    const timeOf = (at: number): string => later(now, (at * 9) / (24 * 60) - daysAgo)
    const last = timeOf(said.length - 1)
    await add(story, schema.conversations, [
      {
        id: conversationId,
        channelId: channelIds.get(channel) as string,
        subject,
        lastMessageAt: last,
        createdById: idOf(said[0]?.[0]),
        createdAt: timeOf(0),
        updatedAt: last,
      },
    ])
    const messages = said.map(([who, body], at) => ({
      conversationId,
      authorId: idOf(who),
      body,
      createdAt: timeOf(at),
    }))
    await add(story, schema.conversationMessages, messages)
  }
}
