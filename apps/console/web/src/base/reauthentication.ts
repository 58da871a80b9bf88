import type { Send } from './send.ts'

/** Asks the person to prove who they are; resolves with whether they did. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined

/** Sets the way to ask for a proof; returns the function that takes it back. */
export function askForProofBy(asking: Ask): () => void {
  ask = asking
  return () => {
    if (ask === asking) ask = undefined
  }
}

/**
 * Returns the function that sends requests. When the API wants a fresh session for one of them, the person is asked for a proof and it is
 * sent again.
 */
export function withProof(send: Send): Send {
  return async (url, init) => {
    const answer = await send(url, init)
    if (ask === undefined || !(await wantsProof(answer))) return answer
    return (await ask()) ? send(url, init) : answer
  }
}

/** Sends a request that may need a fresh session. */
export const sendWithProof = withProof((url, init) => fetch(url, init))

async function wantsProof(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false
  const body: unknown = await answer.clone().json()
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'REAUTHENTICATION_REQUIRED'
}
