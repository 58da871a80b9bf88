import { agentLimitMax, type AgentLimits } from '@crm/permissions'
import { authorizePath } from '../discovery/metadata.ts'
import { parametersOf, type AuthorizationRequest } from './authorization-request.ts'
import type { Choice } from './grants.repository.ts'
import { html, page, type Html } from './html.ts'
import { destinationOf, isReadableOnTheWay, withParameters } from './redirect-uris.ts'
import type { OfferedRight } from './rights.ts'

/** The facts that a person sees before a client may act for them. */
export interface ConsentFacts {
  readonly clientName: string
  /** The address of the document that describes the client; null for one that registered itself. */
  readonly documentUrl: string | null
  readonly workspaceName: string
  /** The address of the workspace. */
  readonly baseUrl: string
  readonly person: { readonly name: string; readonly email: string }
  readonly request: AuthorizationRequest
  readonly rights: readonly OfferedRight[]
  /** What is chosen when the page opens. */
  readonly held: Pick<Choice, 'writes' | 'limits' | 'confirm'>
  readonly csrfToken: string
  /** A message above the rights, for a form that came back with none. */
  readonly problem?: string
}

/** The page on which a person decides what a client may do; it needs no script. */
export function consentPage({
  clientName,
  documentUrl,
  workspaceName,
  baseUrl,
  person,
  request,
  rights,
  held,
  csrfToken,
  problem,
}: ConsentFacts): string {
  const fields = [...parametersOf(request), ['csrf', csrfToken] as const]
  return page(
    `Connect ${clientName}`,
    html`<h1>Connect “${clientName}” to ${workspaceName}?</h1>
<p>You are ${person.name} (${person.email}). <a href="${signInPath(request)}">Sign in as somebody else</a></p>
<p>It will act as you, with only the rights that you tick. You can end the connection at any time in the settings.</p>
<div class="note" role="note"><strong>Not verified:</strong> ${documentUrl === null ? 'the name is what the client says of itself.' : html`the name is what <strong>${new URL(documentUrl).host}</strong> says of the client.`} When you decide, you are sent to <strong>${destinationOf(request.redirectUri)}</strong>. Go on only if you started this yourself.</div>
${leadsToProgram(request.redirectUri) ? html`<p class="soft">It leads to a program on this computer. If nothing happens after you decide, that program is not installed here, or does not open such addresses.</p>` : ''}
${isReadableOnTheWay(baseUrl) ? html`<p class="note" role="note"><strong>Without https:</strong> most clients refuse to finish at an address that begins with http, unless it is on this very computer. Ask who runs this server for an address with https.</p>` : ''}
<form method="post" action="${authorizePath}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${problem === undefined ? '' : html`<p class="note" role="alert">${problem}</p>`}
<div class="groups">${groupsOf(rights)}</div>
${holding(held)}
<div class="actions"><button type="submit" class="main" name="decision" value="allow">Allow</button><button type="submit" name="decision" value="deny">Cancel</button></div>
</form>`,
  )
}

/** Whether an address opens a program: a browser that knows none for it says nothing. */
const leadsToProgram = (redirectUri: string) => !['http:', 'https:'].includes(new URL(redirectUri).protocol)

/** The address where a person signs in before they come back to the request. */
export function signInPath(request: AuthorizationRequest): string {
  return signInBefore(new URLSearchParams(parametersOf(request).map(([name, value]) => [name, value])))
}

/** The address where a person signs in before a request is read. */
export function signInBefore(given: URLSearchParams): string {
  return withParameters('/sign-in', { next: withParameters(authorizePath, Object.fromEntries(given)) })
}

function groupsOf(rights: readonly OfferedRight[]): readonly Html[] {
  return [...Map.groupBy(rights, ({ group }) => group)].map(
    ([group, inGroup]) => html`<fieldset><legend>${group}</legend>${inGroup.map(checkboxOf)}</fieldset>`,
  )
}

const modes: readonly (readonly [Choice['writes'], string])[] = [
  ['DIRECT', 'happen at once'],
  ['PROPOSE', 'wait for my approval'],
  ['PROPOSE_DESTRUCTIVE', 'wait where they cannot be taken back'],
]

const limitLabels: readonly (readonly [keyof AgentLimits, string])[] = [
  ['writesPerDay', 'Most changes a day'],
  ['deletesPerDay', 'Most deletions a day'],
  ['recordsPerCall', 'Most records at once'],
]

function holding({ writes, limits, confirm }: ConsentFacts['held']): Html {
  const options = modes.map(
    ([value, text]) => html`<option value="${value}"${value === writes ? html` selected` : ''}>${text}</option>`,
  )
  const most = limitLabels.map(
    ([name, label]) =>
      html`<label><span>${label}</span><input type="number" name="${name}" min="0" max="${agentLimitMax}" step="1" placeholder="no limit" value="${limits[name] ?? ''}"></label>`,
  )
  return html`<fieldset><legend>What it may do by itself</legend><label><span>Its changes</span><select name="writes">${options}</select></label><label><input type="checkbox" name="confirm" value="yes"${confirm ? html` checked` : ''}><span>It asks me before each call that cannot be taken back</span></label>${most}</fieldset>`
}

function checkboxOf({ name, description, tools, isTicked }: OfferedRight): Html {
  const checked = isTicked ? html` checked` : ''
  return html`<label title="${name}"><input type="checkbox" name="right" value="${name}"${checked}><span>${description}</span><small>${toolsInWords(tools)}</small></label>`
}

function toolsInWords(tools: number): string {
  if (tools === 0) return 'no tools'
  return tools === 1 ? '1 tool' : `${tools} tools`
}

/** The page for a refusal that cannot be sent back to the client, because its identity or its address is in doubt. */
export function problemPage(problem: string): string {
  return page(
    'Not connected',
    html`<h1>The client cannot be connected</h1><p>${problem}</p><p class="soft">Close this page and start again in the client.</p>`,
  )
}
