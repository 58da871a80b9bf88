import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { financeKinds } from '../../domain/finance/finance-words.ts'
import { collectionOf } from '../../records/record-place.ts'
import { notify } from '../../shell/notices.tsx'

interface VerbOptions<Answer> {
  /** What is said when it is done. */
  readonly said?: string
  onDone?(answer: Answer): unknown
}

/** Something that is done to a document; afterwards everything that shows documents is read again, for some become others. */
export function useVerb<Input, Answer>(act: (input: Input) => Promise<Answer>, { said, onDone }: VerbOptions<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      if (said !== undefined) notify(said)
      await onDone?.(answer)
    },
    // Also after a refusal, which may say that somebody else was first.
    onSettled: () =>
      Promise.all(financeKinds.map((kind) => client.invalidateQueries({ queryKey: [collectionOf(kind)] }))),
  })
}

/** Gives one Idempotency-Key for each content of a form, so that sending the same again after a lost connection makes nothing twice. */
export function useIdempotencyKey(): (content: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return (content) => {
    const text = JSON.stringify(content)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}
