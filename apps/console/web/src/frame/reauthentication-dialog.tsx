import { useCallback, useEffect, useRef, useState } from 'react'
import { askForProofBy } from '../base/reauthentication.ts'
import { later } from '../shell/later.tsx'

const ProofDialog = later(async () => (await import('./proof-dialog.tsx')).ProofDialog)

/** Asks people who signed in a while ago to confirm that it is them, whenever a change needs it. */
export function ReauthenticationDialog() {
  const [isAsked, setAsked] = useState(false)
  const waiting = useRef<((isProven: boolean) => void)[]>([])
  useEffect(
    () =>
      askForProofBy(() => {
        setAsked(true)
        return new Promise((resolve) => waiting.current.push(resolve))
      }),
    [],
  )
  const answer = useCallback((isProven: boolean) => {
    setAsked(false)
    for (const resolve of waiting.current.splice(0)) resolve(isProven)
  }, [])
  return isAsked && <ProofDialog onAnswer={answer} />
}
