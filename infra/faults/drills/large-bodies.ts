import { isDeepStrictEqual } from 'node:util'
import { placesOf, sendings, sendTo, type Place, type Refusal } from '../../edge/large-bodies.fixture.ts'
import { promise } from '../../stage/drills.ts'
import { forSeconds, type Drill } from '../drill.ts'
import { startNginx } from '../nginx.ts'
import type { Stage } from '../stage.ts'

const seconds = 20
const atOnce = 6

/** Makes the drill with oversized bodies of many concurrent callers, to every surface and in every way in which clients send. */
function drillOf(name: string, edgeOf: (stage: Stage) => Promise<AsyncDisposable & { readonly port: number }>): Drill {
  return {
    name,
    prepare: async (stage) => {
      const { host, key, hook } = await stage.tenant()
      const addressed = { host, key, hook: await hook() }
      const tries = Object.entries(sendings).flatMap(([how, send]) =>
        placesOf(addressed).map((place) => ({ how, send, place })),
      )
      return async () => {
        await using edge = await edgeOf(stage)
        const wrong = new Map<string, number>()
        const sent = await forSeconds(seconds, atOnce, async (n) => {
          const { how, send, place } = tries[n % tries.length]!
          const fault = faultOf(
            place,
            await sendTo(edge.port, send, place, host).catch((error: unknown) => error as Error),
          )
          if (fault !== undefined)
            wrong.set(`${place.what} ${how}: ${fault}`, (wrong.get(`${place.what} ${how}: ${fault}`) ?? 0) + 1)
        })
        promise(sent >= tries.length, `${sent} of ${tries.length} ways were tried`)
        promise(wrong.size === 0, [...wrong].map(([fault, n]) => `${n} × ${fault}`).join('\n'))
        return `${sent} bodies of 8 to 40 MB were refused as they should be`
      }
    },
  }
}

function faultOf({ status, body }: Place, refusal: Refusal | Error): string | undefined {
  if (refusal instanceof Error) return refusal.message
  const { answer, error, nextStatus = 404 } = refusal
  // A caller with very many requests is told so.
  if (answer.status === 429) return undefined
  if (answer.status !== status || !holds(JSON.parse(answer.body), body))
    return `${answer.status} ${answer.body.slice(0, 200)}`
  if (error !== undefined) return error
  return nextStatus >= 400 && nextStatus < 500 ? undefined : `the next request was answered ${nextStatus}`
}

/** Whether a value has all expected members. */
function holds(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(value, expected)
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(expected).every(([name, part]) => holds((value as Record<string, unknown>)[name], part))
  )
}

const keptOpen = async ({ port }: Stage) => ({ port, [Symbol.asyncDispose]: async () => undefined })

export const largeBodies: Drill = drillOf('large bodies are sent to every surface', keptOpen)

export const largeBodiesThroughNginx: Drill = drillOf(
  'large bodies are sent to every surface through nginx',
  ({ portOf }) => startNginx(portOf),
)
