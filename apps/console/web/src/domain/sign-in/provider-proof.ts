import { providerAddress } from './provider-queries.ts'

/** The page to which a provider sends people back who proved there who they are. */
export const confirmedPath = '/sign-in/confirmed'

const channelName = 'crm:proof-at-provider'

/** Opens an identity provider in a window of its own, so that the page keeps what was typed. Returns whether the browser let it. */
export function openProvider(slug: string): boolean {
  const address = providerAddress(slug, { purpose: 'reauth', next: confirmedPath })
  return window.open(address, 'crm-proof', 'popup,width=520,height=720') !== null
}

/** Calls back when the person came back from a provider, in whichever window; returns the function that stops it. */
export function onProvenAtProvider(proven: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', proven)
  return () => channel.close()
}

/** Tells the other windows of this browser that the person proved who they are. */
export function tellOfProof(): void {
  const channel = new BroadcastChannel(channelName)
  // The rule knows windows alone; a channel has no other origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage('proven')
  channel.close()
}
