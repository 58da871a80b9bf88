import type { SignInOutcome } from '@crm/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { isConsolePath, safeNextPath } from '../../base/next-path.ts'

/** A sign-in after its first step. */
interface SignInSteps {
  /** Opens the page that was asked for. */
  proceed(outcome: SignInOutcome): void
}

/** Returns the steps of a sign-in that follow a password, a link or an identity provider. */
export function useSignInSteps(next?: string): SignInSteps {
  const router = useRouter()
  const client = useQueryClient()
  const proceed = () => {
    client.clear()
    const path = safeNextPath(next, window.location.origin)
    if (isConsolePath(path)) router.history.push(path)
    else window.location.assign(path)
  }
  return { proceed }
}
