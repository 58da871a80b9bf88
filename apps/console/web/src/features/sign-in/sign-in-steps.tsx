import type { SignInOutcome } from '@crm/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { isConsolePath, safeNextPath } from '../../base/next-path.ts'
import { EnrolStep } from './enrol-step.tsx'
import { SecondStep } from './second-step.tsx'

/** A sign-in after its first step. */
interface SignInSteps {
  /** Goes on with the answer to a step: the page that was asked for opens, or the next step is shown. */
  proceed(outcome: SignInOutcome): void
  /** The step to show instead of the first one; null before it is needed. */
  readonly step: ReactNode
}

/** Returns the steps of a sign-in that follow a password, a link or an identity provider. */
export function useSignInSteps(next?: string): SignInSteps {
  const [waiting, setWaiting] = useState<Exclude<SignInOutcome, { step: 'DONE' }> | null>(null)
  const router = useRouter()
  const client = useQueryClient()
  const open = () => {
    client.clear()
    const path = safeNextPath(next, window.location.origin)
    if (isConsolePath(path)) router.history.push(path)
    else window.location.assign(path)
  }
  const proceed = (outcome: SignInOutcome) => (outcome.step === 'DONE' ? open() : setWaiting(outcome))
  const Step = waiting?.step === 'ENROL' ? EnrolStep : SecondStep
  return {
    proceed,
    step: waiting && (
      <Step key={waiting.step} methods={waiting.methods} onDone={open} onExpired={() => setWaiting(null)} />
    ),
  }
}
