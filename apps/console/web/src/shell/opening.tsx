import { Suspense, useEffect, type ReactNode } from 'react'
import { typeAhead } from './type-ahead.ts'

/** Holds a dialog or a field that is loaded when it is first opened, and keeps what is typed until it is there. */
export function Opening({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<Loading />}>{children}</Suspense>
}

function Loading() {
  useEffect(() => typeAhead(), [])
  return null
}
