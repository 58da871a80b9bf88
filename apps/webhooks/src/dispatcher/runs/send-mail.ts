import type { PlainStep } from '@crm/contract'
import type { Pool } from '@crm/db'
import {
  mailPauseMs,
  mailTriedForMs,
  notSent,
  refusalsInWords,
  TooMuchMailError,
  type MailMessage,
  type MailOutcome,
  type Refusal,
} from '@crm/mail'
import { StepFailed, StepWaits } from './outcome.ts'
import { planMails } from './plan-mails.ts'
import type { HeldRun, StepPlace } from './run.ts'
import { finishStep, noteOutput, startStepOnce } from './run-log.ts'
import type { StepDeps, StepTurn } from './step-turn.ts'

/** How far a mail step has come, as its output keeps it. */
interface MailProgress {
  readonly sentTo: readonly string[]
  /** The addresses that do not get their mail, with the answer of the mail server. */
  readonly refused?: readonly Refusal[]
  /** Set while no mail is under way: somebody gets theirs later. */
  readonly waiting?: { readonly since: string; readonly tries: number; readonly said: string }
}

/**
 * Sends one message to each recipient, once; a retry leaves out the recipients who already have theirs. While a mail server says
 * "later", or is away, the run waits. The step fails when nobody got the mail.
 */
export async function sendMail({
  deps,
  run,
  step,
  place,
  data,
  earlier,
  lease,
}: StepTurn<Extract<PlainStep, { type: 'SEND_EMAIL' }>>): Promise<unknown> {
  const { pool } = deps
  const progress = earlier?.output as MailProgress | null | undefined
  const waited = earlier?.state === 'RUNNING' ? progress?.waiting : undefined
  if (earlier?.state === 'RUNNING' && waited === undefined)
    throw new StepFailed('OUTCOME_UNKNOWN', 'The worker was lost while the mail was being sent')
  const { recipients, subject, text } = planMails(step, data)
  let known: MailProgress = { sentTo: progress?.sentTo ?? [], ...(waited ? { refused: progress?.refused ?? [] } : {}) }
  if (waited) await noteOutput(pool, run, place.position, known)
  else await startStepOnce(pool, run, place, { to: recipients, subject, body: text })
  const waiting: Refusal[] = []
  for (const [n, address] of recipients.entries()) {
    if (isSettled(known, address)) continue
    const id = `${run.id}.${place.position}.${n}`
    const outcome = await sendOneMail(deps, run, { id, to: { address }, subject, text }, lease.lost)
    known = { sentTo: [...known.sentTo, ...outcome.sent], refused: [...(known.refused ?? []), ...outcome.refused] }
    waiting.push(...outcome.waiting)
    await noteOutput(pool, run, place.position, known)
  }
  if (waiting.length > 0) known = await waitForMailServer(pool, run, place, { known, waiting, waited })
  const { sentTo, refused = [] } = known
  if (sentTo.length === 0) throw new StepFailed('STEP_FAILED', `The mail was not sent to ${refusalsInWords(refused)}`)
  const output = refused.length === 0 ? { sentTo } : { sentTo, refused }
  await finishStep(pool, run, place, output)
  return output
}

function isSettled({ sentTo, refused = [] }: MailProgress, address: string): boolean {
  return sentTo.includes(address) || refused.some((one) => one.address === address)
}

async function sendOneMail(
  { mailer, countMail }: StepDeps,
  run: HeldRun,
  message: MailMessage,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const { address } = message.to
  if (!(await countMail({ id: run.workspaceId, perHour: run.mailsPerHour })).allowed)
    throw new StepFailed('STEP_FAILED', `The mail to ${address} was not sent: the workspace has sent too many lately`)
  const outcome = await mailer.send({ ...message, fromName: run.workspaceName }, { signal }).catch((error: unknown) => {
    if (!(error instanceof TooMuchMailError)) return notSent([address], (error as Error).message)
    const said = 'the recipient has had too many messages lately'
    throw new StepFailed('STEP_FAILED', `The mail to ${address} was not sent: ${said}`)
  })
  if (outcome.unknown.length > 0)
    throw new StepFailed(
      'OUTCOME_UNKNOWN',
      `It is not known whether the mail to ${address} was taken: the connection ended before the mail server answered`,
    )
  return outcome
}

interface WaitingMail {
  readonly known: MailProgress
  readonly waiting: readonly Refusal[]
  readonly waited: MailProgress['waiting']
}

/** Lets the run wait until the next attempt. Once it has waited for days, those who wait are refused: then it returns what is known. */
async function waitForMailServer(
  pool: Pool,
  run: HeldRun,
  place: StepPlace,
  { known, waiting, waited }: WaitingMail,
): Promise<MailProgress> {
  const { since, tries: before } = waited ?? { since: new Date().toISOString(), tries: 0 }
  const tries = before + 1
  const until = new Date(Date.now() + mailPauseMs(tries))
  if (until.getTime() > Date.parse(since) + mailTriedForMs)
    return { ...known, refused: [...(known.refused ?? []), ...waiting] }
  const said = refusalsInWords(waiting)
  await noteOutput(pool, run, place.position, { ...known, waiting: { since, tries, said } })
  throw new StepWaits(until)
}
