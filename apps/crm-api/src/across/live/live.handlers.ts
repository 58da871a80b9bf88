import { BytesReply, liveChanges } from '@crm/contract'
import { requireKnownTypes } from '../../kinds/known-types.ts'
import { implement } from '../../platform/context.ts'
import type { LiveStreams } from './live.streams.ts'

/** Every proxy passes each event on at once. */
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

/** Returns the handlers for the streams of one process. */
export function implementLiveChanges(streams: LiveStreams) {
  return implement(liveChanges, {
    stream: async ({ query: { types } }, context) => {
      await requireKnownTypes(context, types)
      const { workspace, caller, requestHeaders } = context
      const lastEventId = requestHeaders['last-event-id']
      const position = typeof lastEventId === 'string' ? lastEventId : undefined
      return new BytesReply(200, headers, await streams.open({ workspace, caller, types, lastEventId: position }))
    },
  })
}
