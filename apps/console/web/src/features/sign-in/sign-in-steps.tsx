import type { SecondFactorMethod, SignInOutcome } from '@crm/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { isConsolePath, safeNextPath } from '../../base/next-path.ts'
import { EnrolStep } from './enrol-step.tsx'
import { SecondStep } from './second-step.tsx'

/** The steps that a sign-in can wait for. */
export type WaitingStep = Exclude<SignInOutcome, { step: 'DONE' }>['step']

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
  const [waiting, setWaiting] = useState<Exclude<SignInOutcome, { step: 'DONE' }> | null>(null)
  const [isOver, setOver] = useState(false)
  const router = useRouter()
  const client = useQueryClient()
  const open = () => {
    client.clear()
    const path = safeNextPath(next, window.location.origin)
    if (isConsolePath(path)) router.history.push(path)
    else window.location.assign(path)
  }
  const proceed = (outcome: SignInOutcome) => (outcome.step === 'DONE' ? open() : setWaiting(outcome))
  const factors = useQuery({
    queryKey: ['factors', 'of-sign-in'],
    queryFn: async ({ signal }) => (await settingsOnce.secondFactors.list({ signal })).data,
    enabled: begun !== undefined && waiting === null && !isOver,
    meta: { handles401: true },
  })
  const current =
    waiting ??
    (begun !== undefined && factors.data && !isOver ? { step: begun, methods: methodsOf(begun, factors.data) } : null)
  const startOver = () => {
    setWaiting(null)
    setOver(true)
  }
  const Step = current?.step === 'ENROL' ? EnrolStep : SecondStep
  return {
    proceed,
    step: current && <Step key={current.step} methods={current.methods} onDone={open} onExpired={startOver} />,
  }
}

type Factors = Awaited<ReturnType<typeof settingsOnce.secondFactors.list>>['data']

function methodsOf(step: WaitingStep, { totp, passkeys, recoveryCodesLeft }: Factors): SecondFactorMethod[] {
  if (step === 'ENROL') return ['TOTP', 'PASSKEY']
  return [
    ...(totp ? (['TOTP'] as const) : []),
    ...(passkeys.length > 0 ? (['PASSKEY'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['RECOVERY_CODE'] as const) : []),
  ]
}
