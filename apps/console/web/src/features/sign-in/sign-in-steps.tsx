import type { SecondFactorMethod, SignInOutcome } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { forgetPerson } from '../../base/forget.ts'
import { isConsolePath, safeNextPath } from '../../base/next-path.ts'
import { factorsQuery, type Factors } from '../../domain/sign-in/factors-query.ts'
import { EnrolStep } from './enrol-step.tsx'
import { SecondStep } from './second-step.tsx'

/** The steps that a sign-in can wait for. */
export type WaitingStep = Waiting['step']
type Waiting = Exclude<SignInOutcome, { step: 'DONE' }>

/** A sign-in after its first step. */
interface SignInSteps {
  /** Goes on with the answer to a step: the page that was asked for opens, or the next step is shown. */
  proceed(outcome: SignInOutcome): void
  /** The step to show instead of the first one; null before it is needed. */
  readonly step: ReactNode
}

/**
 * Returns the steps of a sign-in that follow a password, a link or an identity provider. A provider has already been answered when
 * the page opens: `begun` names the step that follows.
 */
export function useSignInSteps(next?: string, begun?: WaitingStep): SignInSteps {
  // Undefined until a step is answered here; null when the sign-in starts over.
  const [waiting, setWaiting] = useState<Waiting | null>()
  const router = useRouter()
  const open = () => {
    forgetPerson()
    const path = safeNextPath(next, window.location.origin)
    // Without https a browser tells the service by the referrer alone that a page of the workspace leads to a provider, and the pages
    // for signing in send none.
    if (isConsolePath(path) && window.isSecureContext) router.history.push(path)
    else window.location.assign(path)
  }
  const proceed = (outcome: SignInOutcome) => (outcome.step === 'DONE' ? open() : setWaiting(outcome))
  const factors = useQuery({
    ...factorsQuery,
    enabled: begun !== undefined && waiting === undefined,
    meta: { handles401: true },
  })
  const left = begun && factors.data && { step: begun, methods: methodsOf(begun, factors.data) }
  const current = waiting === undefined ? left : waiting
  const Step = current?.step === 'ENROL' ? EnrolStep : SecondStep
  return {
    proceed,
    step: current ? (
      <Step key={current.step} methods={current.methods} onDone={open} onExpired={() => setWaiting(null)} />
    ) : null,
  }
}

function methodsOf(step: WaitingStep, { totp, passkeys, recoveryCodesLeft }: Factors): SecondFactorMethod[] {
  if (step === 'ENROL') return ['TOTP', 'PASSKEY']
  return [
    ...(totp ? (['TOTP'] as const) : []),
    ...(passkeys.length > 0 ? (['PASSKEY'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['RECOVERY_CODE'] as const) : []),
  ]
}
