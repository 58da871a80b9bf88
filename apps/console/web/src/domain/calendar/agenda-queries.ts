import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm, settings } from '../../base/api.ts'

export type CalendarEvent = Awaited<ReturnType<typeof settings.calendarEvents.list>>['items'][number]
export type Meeting = Awaited<ReturnType<typeof settings.bookings.list>>['items'][number]
export type Subscription = Awaited<ReturnType<typeof settings.calendarSubscriptions.list>>['items'][number]
type Activity = Awaited<ReturnType<typeof crm.activities.list>>['items'][number]
type Task = Awaited<ReturnType<typeof crm.tasks.list>>['items'][number]

/** Everything that the calendar of a person shows in a span of time. */
export interface Agenda {
  readonly events: readonly CalendarEvent[]
  /** The bookings behind events, by id. */
  readonly meetings: ReadonlyMap<string, Meeting>
  /** The planned calls and meetings of the person. */
  readonly activities: readonly Activity[]
  /** The open tasks of the person with a due date. */
  readonly tasks: readonly Task[]
  /** Whether there is more than the calendar shows. */
  readonly isCut: boolean
}

interface Span {
  /** The bounds in ISO 8601. */
  readonly from: string
  readonly to: string
  readonly personId: string
  may(permission: string): boolean
}

const pageSize = 100
/** The most events of a span; more of them no month can show. */
const pagesMax = 5

/** Reads what a person has to do in a span of time. */
export const agendaQuery = ({ from, to, personId, may }: Span) =>
  queryOptions({
    queryKey: ['calendar-events', from, to],
    queryFn: async ({ signal }): Promise<Agenda> => {
      const [{ items: events, isCut }, bookings, activities, tasks] = await Promise.all([
        pages((page) => settings.calendarEvents.list({ query: { page, pageSize, from, to }, signal })),
        pages((page) =>
          settings.bookings.list({
            query: { page, pageSize, from, to, status: 'CONFIRMED', organizerId: personId },
            signal,
          }),
        ),
        may('VIEW_ACTIVITY')
          ? pages((page) =>
              crm.activities.list({
                query: { page, pageSize, ownerId: 'me', status: 'PLANNED', startFrom: from, startTo: to },
                signal,
              }),
            )
          : nothing,
        may('VIEW_TASK')
          ? pages((page) =>
              crm.tasks.list({
                query: {
                  page,
                  pageSize,
                  assigneeId: 'me',
                  status: 'TODO,IN_PROGRESS,IN_REVIEW',
                  dueFrom: from,
                  dueTo: to,
                },
                signal,
              }),
            )
          : nothing,
      ])
      return {
        events,
        meetings: new Map(bookings.items.map((meeting) => [meeting.id, meeting])),
        activities: activities.items,
        tasks: tasks.items,
        isCut: isCut || activities.isCut || tasks.isCut,
      }
    },
    placeholderData: keepPreviousData,
  })

const nothing = { items: [], isCut: false }

async function pages<Item>(
  read: (page: number) => Promise<{ readonly items: readonly Item[]; readonly pageCount: number }>,
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const items: Item[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const { items: some, pageCount } = await read(page)
    items.push(...some)
    if (page >= pageCount) return { items, isCut: false }
  }
  return { items, isCut: true }
}

export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: async ({ signal }) => (await settings.calendarFeed.get({ signal })).data,
})

export const subscriptionsQuery = queryOptions({
  queryKey: ['calendar-subscriptions'],
  queryFn: async ({ signal }) =>
    (await settings.calendarSubscriptions.list({ query: { pageSize: 100 }, signal })).items,
})
