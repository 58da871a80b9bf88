import { ClientError } from '@crm/client'
import { beside, crm } from './api.ts'

/**
 * Asks for amounts in one currency, or in each of their own where the workspace lacks an exchange rate. Where this tab met that before with the
 * same question, both go together, so that nobody waits for the refusal of the first.
 */
export async function converted<Question extends object, Answer>(
  question: Question,
  convertTo: string,
  ask: (question: Question & { readonly convertTo?: string }, client: typeof crm) => Promise<Answer>,
): Promise<Answer> {
  const missed = `crm:missed-rate:${convertTo}:${JSON.stringify(question)}`
  const early = sessionStorage.getItem(missed) === null ? undefined : ask(question, crm)
  early?.catch(() => undefined)
  try {
    const answer = await ask({ ...question, convertTo }, crm)
    sessionStorage.removeItem(missed)
    return answer
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'RATE_MISSING') throw error
    sessionStorage.setItem(missed, 'yes')
    return (await early) ?? ask(question, beside.crm)
  }
}
