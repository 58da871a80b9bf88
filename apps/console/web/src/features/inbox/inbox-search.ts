export const inboxTabs = ['open', 'snoozed', 'done'] as const
export type InboxTab = (typeof inboxTabs)[number]

/** The address of the inbox; open notifications come first. */
export interface InboxSearch {
  readonly tab?: InboxTab
}

/** Reads the address; an unknown tab stands for the first one. */
export function readInboxSearch({ tab }: Readonly<Record<string, unknown>>): InboxSearch {
  const known = inboxTabs.find((name) => name === tab && name !== 'open')
  return known === undefined ? {} : { tab: known }
}
