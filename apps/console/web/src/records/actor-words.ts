import type { ShownTimelineEntry } from '@crm/contract'
import { t } from '../base/texts.ts'
import type { Texts } from '../texts/en.ts'

type Via = ShownTimelineEntry['via']

/** Returns who did something, and the key or the client by which they did it: “Ada, with the key Website”. */
export function describeActor(name: string, via: Via): string {
  const key = `feed.ways.${via?.type as keyof Texts['feed']['ways']}` as const
  return via?.name && t.has(key) ? t(key, { name, way: via.name }) : name
}

/** Whether the name of the actor tells by which way they came. */
export function tellsWay(via: Via): boolean {
  return describeActor('', via) !== ''
}
