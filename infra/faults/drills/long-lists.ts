import { newId, schema, writeRows } from '@crm/db'
import { promise } from '../../stage/drills.ts'
import { forSeconds, tally, type Drill } from '../drill.ts'
import { codeOf } from '../../stage/requests.ts'

const tasks = 500
const descriptionBytes = 20 * 1024
const atOnce = 24
const seconds = 20

interface List {
  readonly items: readonly { readonly description: string }[]
  readonly total: number
}

function checkList({ items, total }: List, description: string): void {
  promise(
    total === tasks && items.length === tasks && items.every((item) => item.description === description),
    `a list had ${items.length} of ${total} tasks`,
  )
}

/** Pages of ten megabytes, so many at once that they do not fit into a process. */
export const longLists: Drill = {
  name: `${atOnce} lists of ${tasks} tasks with descriptions of 20 KB are read at once`,
  prepare: async ({ db, tenant }) => {
    const { workspaceId, adminUserId, send } = await tenant()
    const description = 'long '.repeat(descriptionBytes / 5)
    for (let from = 0; from < tasks; from += 50) {
      const some = db.insert(schema.tasks).values(
        Array.from({ length: 50 }, (_, n) => ({
          workspaceId,
          id: newId(),
          number: from + n + 1,
          status: 'TODO' as const,
          title: `Task ${from + n}`,
          description,
          ownerId: adminUserId,
          createdById: adminUserId,
        })),
      )
      await writeRows(db, schema.tasks, some.getSQL())
    }
    return async () => {
      const outcomes: (number | string)[] = []
      await forSeconds(seconds, atOnce, async () => {
        const answer = await send({ path: `/api/tasks?pageSize=${tasks}`, withinMs: 60_000 }).catch((error: unknown) =>
          codeOf(error),
        )
        if (typeof answer === 'string') return void outcomes.push(answer)
        outcomes.push(answer.status)
        if (answer.status === 503)
          return promise(Number(answer.headers['retry-after']) > 0, 'a list was refused without Retry-After')
        // Only the first one is parsed: the probe runs in this process, and would wait during each.
        if (outcomes.filter((outcome) => outcome === 200).length === 1)
          checkList(JSON.parse(answer.body.toString()) as List, description)
        promise(
          answer.body.length > tasks * descriptionBytes && answer.body.at(-1) === '}'.charCodeAt(0),
          `a list ended after ${answer.body.length} bytes`,
        )
      })
      promise(
        outcomes.includes(200) && outcomes.every((outcome) => outcome === 200 || outcome === 503),
        `the lists were answered ${tally(outcomes)}`,
      )
      return `lists of 10 MB: ${tally(outcomes)}`
    }
  },
}
