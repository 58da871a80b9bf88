import type { LiveChange } from '@crm/contract'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../base/session.ts'
import { inboxKey } from '../base/unread.ts'
import { collectionOf } from '../records/record-place.ts'
import { inOneTab } from '../base/without-https.ts'

/** Changes are shown together after this time. */
const gatherMs = 300
/** The pause before a refused stream is opened again. */
const retryMs = 5_000

type Message = { readonly entityType: string } | 'inbox' | 'reset'

/**
 * Shows the changes of others on every page. The tabs of a browser share one stream: the tab that holds a lock reads it and tells the
 * others.
 */
export function useLiveChanges(): void {
  const client = useQueryClient()
  const { person } = useSession()
  useEffect(() => {
    const name = `crm:live:${person.id}`
    const refresh = gathered(client)
    const channel = new BroadcastChannel(name)
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => refresh.note(data))
    const stop = new AbortController()
    const tell = (message: Message) => {
      refresh.note(message)
      // The rule knows windows alone; a channel has no other origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel.postMessage(message)
    }
    // The lock is released when the page goes away; another tab holds it then and goes on.
    void inOneTab(name, stop.signal, () => followUntil(stop.signal, tell)).catch(() => undefined)
    return () => {
      stop.abort()
      channel.close()
      refresh.stop()
    }
  }, [client, person.id])
}

/** Reads the stream until the signal; the browser itself connects again after a broken connection. */
async function followUntil(signal: AbortSignal, tell: (message: Message) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    let source: EventSource | undefined
    let timer: number | undefined
    const open = (isAgain: boolean) => {
      source = new EventSource('/api/events/stream')
      // Nobody told of the changes since the stream before.
      if (isAgain) source.addEventListener('open', () => tell('reset'), { once: true })
      source.addEventListener('change', ({ data }: MessageEvent<string>) => {
        const { entityType } = JSON.parse(data) as LiveChange
        tell({ entityType })
      })
      source.addEventListener('inbox', () => tell('inbox'))
      source.addEventListener('reset', () => tell('reset'))
      source.addEventListener('end', () => source?.close())
      source.addEventListener('error', () => {
        if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(open, retryMs, true)
      })
    }
    signal.addEventListener('abort', () => {
      source?.close()
      window.clearTimeout(timer)
      resolve()
    })
    open(false)
  })
}

/** Gathers messages and refreshes the records that are shown. */
function gathered(client: QueryClient) {
  const collections = new Set<string>()
  let isReset = false
  let timer: number | undefined
  const refresh = () => {
    timer = undefined
    const keys = isReset ? [undefined] : [...collections]
    isReset = false
    collections.clear()
    for (const key of keys) void client.invalidateQueries(key === undefined ? {} : { queryKey: [key] })
  }
  return {
    note: (message: Message) => {
      if (message === 'reset') isReset = true
      else if (message === 'inbox') collections.add(inboxKey)
      else collections.add(collectionOf(message.entityType))
      timer ??= window.setTimeout(refresh, gatherMs)
    },
    stop: () => window.clearTimeout(timer),
  }
}
