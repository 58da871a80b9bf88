import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '../../stage/drills.ts'
import { forSeconds, times, type Drill } from '../drill.ts'
import { percentile } from '../../stage/traffic.ts'
import { startReceiver } from '../receiver.ts'

const events = 200
const healthyWithinMs = 2_000
const seconds = 30

/** Events for a server that accepts requests and never answers, from a rule and from a workflow. */
export const silentReceiver: Drill = {
  name: `${events} events go to a receiver that never answers`,
  prepare: async ({ tenant }) => {
    const [stuck, healthy] = [await tenant(), await tenant()]
    const [silent, receiver] = [await startReceiver(() => undefined), await startReceiver()]
    const send = (url: string) => ({
      key: 'tell',
      name: '',
      type: 'HTTP_REQUEST',
      url,
      method: 'POST',
      headers: {},
      bodyTemplate: null,
    })
    await stuck.rule('lead.created', `${silent.url}/rule`)
    const stuckHooks = await Promise.all(Array.from({ length: 4 }, () => stuck.hook([send(`${silent.url}/workflow`)])))
    await healthy.rule('lead.created', `${receiver.url}/rule`)
    const hook = await healthy.hook([send(`${receiver.url}/workflow`)])
    // The time from the answer to a request to the notification of its event, in milliseconds.
    const arrival = async (path: string, act: () => Promise<unknown>): Promise<number> => {
      const beganAt = performance.now()
      await act()
      const happenedAt = performance.now()
      const toldAt = (): number => receiver.receivedAtMs.get(path) ?? 0
      while (toldAt() < beganAt && performance.now() < happenedAt + 10 * healthyWithinMs) await wait(5)
      return Math.max(0, (toldAt() < beganAt ? performance.now() : toldAt()) - happenedAt)
    }
    const ruleMs = (n: number) =>
      arrival('/rule', () => healthy.ask({ path: '/api/leads', body: { lastName: `Healthy ${n}` }, from: '127.0.7.2' }))
    const workflowMs = (n: number) =>
      arrival('/workflow', () =>
        healthy.ask({
          path: `/api/hooks/${hook.path}`,
          headers: { 'x-api-key': hook.secret },
          body: { n },
          from: '127.0.7.2',
        }),
      )
    // Loading and compiling happen before the measurement; a workflow accepts 60 calls a minute, and these calls count.
    await times(10, 1, async (n) => [await ruleMs(n), await workflowMs(n)])
    return async () => {
      await using servers = new AsyncDisposableStack()
      for (const server of [silent, receiver]) servers.use(server)
      const [ofRules, ofWorkflows]: [number[], number[]] = [[], []]
      const harm = times(events, 4, async (n) => {
        const { path, secret } = stuckHooks[n % stuckHooks.length]!
        await stuck.ask({ path: '/api/leads', body: { lastName: `Stuck ${n}` }, from: '127.0.7.1' })
        await stuck.send({
          path: `/api/hooks/${path}`,
          headers: { 'x-api-key': secret },
          body: { n },
          from: '127.0.7.1',
        })
      })
      await forSeconds(seconds, 1, async (n) => {
        ofRules.push(await ruleMs(n))
        ofWorkflows.push(await workflowMs(n))
        await wait(500)
      })
      await harm
      promise(silent.received() > 0, 'nothing came to the silent receiver')
      const words = (ms: readonly number[]): string =>
        `p95 ${percentile(ms, 0.95).toFixed(0)} ms, at most ${Math.max(...ms).toFixed(0)} ms`
      promise(
        Math.max(...ofRules) < healthyWithinMs,
        `a healthy rule took ${ofRules.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      )
      promise(
        Math.max(...ofWorkflows) < healthyWithinMs,
        `a healthy workflow took ${ofWorkflows.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      )
      return `healthy rule ${words(ofRules)}; healthy workflow ${words(ofWorkflows)}; ${silent.received()} requests came to the silent one`
    }
  },
}
