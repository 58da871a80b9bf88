import type { WorkflowTrigger } from '@crm/contract'

export type WebhookTrigger = Extract<WorkflowTrigger, { type: 'WEBHOOK' }>
export type Challenge = NonNullable<WebhookTrigger['challenge']>

/** A service that asks before its first call whether somebody wants its calls. */
interface Sender {
  readonly name: string
  /** Its question; an empty text is one that the person chooses. */
  readonly challenge: Challenge
}

/** Services by their own names, with their questions as their documentation shows them (docs/guide/webhooks.md). */
export const senders: readonly Sender[] = [
  {
    name: 'Meta (Facebook, Instagram, WhatsApp)',
    challenge: { in: 'QUERY', echo: 'hub.challenge', as: 'TEXT', require: { name: 'hub.verify_token', equals: '' } },
  },
  { name: 'Microsoft 365 (Graph)', challenge: { in: 'QUERY', echo: 'validationToken', as: 'TEXT' } },
  {
    name: 'Slack',
    challenge: { in: 'BODY', echo: 'challenge', as: 'TEXT', require: { name: 'type', equals: 'url_verification' } },
  },
  { name: 'monday.com', challenge: { in: 'BODY', echo: 'challenge', as: 'JSON' } },
  {
    name: 'Azure Event Grid',
    challenge: { in: 'BODY', echo: '0.data.validationCode', as: 'JSON', name: 'validationResponse' },
  },
  { name: 'Asana', challenge: { in: 'HEADER', echo: 'X-Hook-Secret', as: 'HEADER' } },
]

/** The question of a sender that is not in the list, before anybody has described it. */
export const otherChallenge: Challenge = { in: 'QUERY', echo: '', as: 'TEXT' }

/** Returns the sender that asks a question; undefined for any other. */
export function senderOf(challenge: Challenge): Sender | undefined {
  return senders.find(({ challenge: known }) => {
    const isSameText = known.require?.equals === '' || known.require?.equals === challenge.require?.equals
    const isSame = (['in', 'echo', 'as', 'name'] as const).every((part) => known[part] === challenge[part])
    return isSame && known.require?.name === challenge.require?.name && isSameText
  })
}

/** Returns a question without what nobody has filled in. */
export function withRequired(
  challenge: Challenge,
  require: { readonly name: string; readonly equals: string },
): Challenge {
  const { require: _before, ...rest } = challenge
  return require.name === '' && require.equals === '' ? rest : { ...rest, require: { ...require } }
}
