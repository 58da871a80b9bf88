import { liveIdsMax, liveStreamsMax } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { readSessionCaller, readWorkspace, type Caller, type Workspace } from '@crm/identity'
import { startRounds, type Rounds } from '@crm/runtime'
import type { Readable } from 'node:stream'
import { onlookerOf, sightOf } from '../../kinds/in-sight.ts'
import type { CrmApiDeps } from '../../platform/deps.ts'
import { noteSeen } from '../../platform/late-reads.ts'
import { readChangedRecords, readNewEntries, type NewEntry } from './live.changes.ts'
import { readNewNotices } from './live.notices.ts'
import { EventText } from './event-text.ts'
import { eventsFor } from './live.sight.ts'

/** Changes are gathered for this long. */
const gatherMs = 500
/** A transaction may commit this long after it made the ids of its entries. */
const lateMs = 10_000
/** The oldest position from which a stream goes on. */
const resumableMs = 300_000
const beatMs = 20_000
const entriesMax = 2_000
const retryAfterS = 5

/** The person who follows a stream, with their rights. */
interface Viewer {
  readonly workspace: Workspace
  readonly caller: Caller
}

/** The wishes of a new stream. */
export interface StreamRequest extends Viewer {
  /** The kinds of record; all of them by default. */
  readonly types: readonly string[] | undefined
  /** The position of the last event that the reader got, as it sends it. */
  readonly lastEventId: string | undefined
}

interface OpenStream {
  viewer: Viewer
  /** The epoch for which the viewer's rights are known; null: they are read again. */
  epoch: string | null
  readonly types: ReadonlySet<string> | undefined
  readonly text: EventText
}

type Needs = Pick<CrmApiDeps, 'db' | 'pool' | 'epochs' | 'clock' | 'logger' | 'lateReads'>

/**
 * The open streams of one process. While there are any, it reads the new entries of the histories of their workspaces, each once, and
 * tells every person of the records that they may see.
 */
export class LiveStreams {
  readonly #needs: Needs
  /** Bounded: no more streams are open than `liveStreamsMax`. */
  readonly #byWorkspace = new Map<string, Set<OpenStream>>()
  /** The entries and notifications that were told, with the time when they were read. Bounded: those of the last moments. */
  readonly #told = new Map<string, number>()
  #rounds: Rounds | undefined
  #readUntilMs = 0
  #count = 0
  #isClosed = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /**
   * Opens a stream of events.
   * @throws ApiError RATE_LIMITED when the person or the process has too many
   */
  async open({ workspace, caller, types, lastEventId }: StreamRequest): Promise<Readable> {
    const streams = this.#byWorkspace.get(workspace.id) ?? new Set()
    const ofPerson = [...streams].filter(({ viewer }) => viewer.caller.employee.id === caller.employee.id).length
    if (this.#isClosed || ofPerson >= liveStreamsMax.perPerson || this.#count >= liveStreamsMax.perProcess)
      throw new ApiError('RATE_LIMITED', { message: 'Too many streams are open', retryAfterS })
    const nowMs = this.#nowMs()
    const stream: OpenStream = {
      viewer: { workspace, caller },
      epoch: null,
      types: types && new Set(types),
      text: new EventText(nowMs),
    }
    this.#byWorkspace.set(workspace.id, streams.add(stream))
    this.#count++
    stream.text.body.once('close', () => this.#forget(stream))
    try {
      // A new reader has read its page a moment ago, and is told of the changes since then as well.
      await this.#resume(stream, lastEventId === undefined ? nowMs : Number(lastEventId), nowMs)
    } catch (error) {
      // Nobody reads it, so it would keep its place for ever.
      this.#forget(stream)
      throw error
    }
    this.#startReading(nowMs)
    return stream.text.body
  }

  /** Ends all streams; their readers connect to another process. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#all()) stream.text.end()
    await this.#rounds?.close()
  }

  #all(): OpenStream[] {
    return [...this.#byWorkspace.values()].flatMap((streams) => [...streams])
  }

  #nowMs(): number {
    return this.#needs.clock.now().getTime()
  }

  #forget(stream: OpenStream): void {
    const { id } = stream.viewer.workspace
    const streams = this.#byWorkspace.get(id)
    if (!streams?.delete(stream)) return
    this.#count--
    if (streams.size === 0) this.#byWorkspace.delete(id)
    if (this.#count > 0) return
    void this.#rounds?.close()
    this.#rounds = undefined
    this.#told.clear()
  }

  #end(stream: OpenStream, nowMs: number): void {
    stream.text.send(nowMs, 'end')
    stream.text.end()
    this.#forget(stream)
  }

  #startReading(nowMs: number): void {
    if (this.#rounds || this.#count === 0 || this.#isClosed) return
    this.#readUntilMs = nowMs
    const { logger } = this.#needs
    this.#rounds = startRounds({ name: 'live changes', everyMs: gatherMs, logger, round: () => this.#read() })
  }

  /** Sends what happened since a position; too old or unknown a position means that changes were missed. */
  async #resume(stream: OpenStream, sinceMs: number, nowMs: number): Promise<void> {
    if (!(nowMs - sinceMs <= resumableMs)) return stream.text.send(nowMs, 'reset')
    const { workspace } = stream.viewer
    await this.#tellInboxes([stream], sinceMs - lateMs, nowMs)
    const entries = await readNewEntries(this.#needs.db, [workspace.id], sinceMs - lateMs, entriesMax)
    if (entries.length === entriesMax) return stream.text.send(nowMs, 'reset')
    await this.#tell(workspace.id, [stream], entries, nowMs)
  }

  async #read(): Promise<void> {
    const nowMs = this.#nowMs()
    const sinceMs = Math.min(this.#readUntilMs, nowMs) - lateMs
    const entries = await readNewEntries(this.#needs.db, [...this.#byWorkspace.keys()], sinceMs, entriesMax)
    const byWorkspace = Map.groupBy(entries, ({ workspaceId }) => workspaceId)
    for (const [workspaceId, ofWorkspace] of byWorkspace) {
      const streams = [...(this.#byWorkspace.get(workspaceId) ?? [])]
      const reset = (): void => streams.forEach((stream) => stream.text.send(nowMs, 'reset'))
      const [oldest] = ofWorkspace
      // Older entries than those of a full page may be new as well.
      if (ofWorkspace.length === entriesMax && oldest && !this.#told.has(oldest.id)) {
        reset()
        continue
      }
      const fresh = ofWorkspace.filter(({ id }) => !this.#told.has(id))
      // Whoever misses a change reads everything again; the other workspaces are told of theirs.
      await this.#tell(workspaceId, streams, fresh, nowMs).catch((error: unknown) => {
        this.#needs.logger.error({ err: error, workspaceId }, 'changes could not be told')
        reset()
      })
    }
    for (const { id } of entries) this.#told.set(id, nowMs)
    const newIds = await this.#tellInboxes(this.#all(), sinceMs, nowMs)
    for (const id of newIds) this.#told.set(id, nowMs)
    for (const [id, atMs] of this.#told) if (atMs < sinceMs) this.#told.delete(id)
    this.#readUntilMs = nowMs
    for (const stream of this.#all()) if (nowMs - stream.text.beatAtMs >= beatMs) await this.#beat(stream, nowMs)
  }

  async #tell(
    workspaceId: string,
    streams: readonly OpenStream[],
    entries: readonly NewEntry[],
    nowMs: number,
  ): Promise<void> {
    if (entries.length === 0) return
    const records = await readChangedRecords(this.#needs.db, workspaceId, entries)
    const epoch = await this.#needs.epochs.read(workspaceId)
    // Whoever is told of a change looks at it next.
    const { lateReads } = this.#needs
    if (lateReads)
      await noteSeen(
        lateReads,
        workspaceId,
        streams.map(({ viewer }) => viewer.caller.credential.id),
      )
    for (const stream of streams) {
      const viewer = await this.#currentViewer(stream, epoch)
      if (!viewer) {
        this.#end(stream, nowMs)
        continue
      }
      const scope = (entityType: string) => sightIn(viewer, stream.types, entityType)
      for (const event of eventsFor(scope, records, liveIdsMax)) stream.text.send(nowMs, 'change', event)
    }
  }

  /** Tells people that their inbox changed; returns the ids of their new notifications. */
  async #tellInboxes(streams: readonly OpenStream[], sinceMs: number, nowMs: number): Promise<readonly string[]> {
    const personOf = ({ viewer: { workspace, caller } }: OpenStream) => ({
      workspaceId: workspace.id,
      employeeId: caller.employee.id,
    })
    const notices = await readNewNotices(this.#needs.db, streams.map(personOf), sinceMs)
    const owners = new Set(notices.filter(({ id }) => !this.#told.has(id)).map(({ employeeId }) => employeeId))
    for (const stream of streams) if (owners.has(stream.viewer.caller.employee.id)) stream.text.send(nowMs, 'inbox')
    return notices.map(({ id }) => id)
  }

  async #beat(stream: OpenStream, nowMs: number): Promise<void> {
    const epoch = await this.#needs.epochs.read(stream.viewer.workspace.id)
    if (await this.#currentViewer(stream, epoch)) stream.text.beat(nowMs)
    else this.#end(stream, nowMs)
  }

  /** Returns the person with their rights of this moment; null when their session ended. */
  async #currentViewer(stream: OpenStream, epoch: string | null): Promise<Viewer | null> {
    const { workspace, caller } = stream.viewer
    if (epoch === null || epoch !== stream.epoch) {
      const now = await this.#readViewer(workspace.id, caller.credential.id)
      if (!now) return null
      stream.viewer = now
      stream.epoch = epoch
    }
    const { expiresAt } = stream.viewer.caller.credential
    return expiresAt === null || Date.parse(expiresAt) > this.#nowMs() ? stream.viewer : null
  }

  async #readViewer(workspaceId: string, sessionId: string): Promise<Viewer | null> {
    const { pool } = this.#needs
    const workspace = await readWorkspace(pool, workspaceId)
    const caller = await readSessionCaller(pool, workspaceId, sessionId)
    return workspace && caller?.employee.status === 'ACTIVE' ? { workspace, caller } : null
  }
}

/** Returns how far a person sees records of a kind that their stream tells of. */
function sightIn({ workspace, caller }: Viewer, types: ReadonlySet<string> | undefined, entityType: string) {
  if (types?.has(entityType) === false) return null
  return sightOf(onlookerOf(workspace, caller), entityType)
}
