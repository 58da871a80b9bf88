import type { ShownTimelineEntry } from '@crm/contract'
import { t } from '../base/texts.ts'

type Via = ShownTimelineEntry['via']

/** Returns who did something, and the key or the client by which they did it: “Ada, with the key Website”. */
export function describeActor(name: string, via: Via): string {
  return via?.name ? (ways[via.type]?.({ name, way: via.name }) ?? name) : name
}

const ways: Readonly<Record<string, (parts: { readonly name: string; readonly way: string }) => string>> = {
  API_KEY: (parts) => t('{name}, with the key {way}', parts),
  OAUTH_CLIENT: (parts) => t('{name}, through {way}', parts),
  WORKFLOW: (parts) => t('{name}, by the workflow {way}', parts),
  SCIM: (parts) => t('{name}, with the token {way}', parts),
}

/** Whether the name of the actor tells by which way they came. */
export function tellsWay(via: Via): boolean {
  return describeActor('', via) !== ''
}
