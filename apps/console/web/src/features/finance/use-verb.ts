import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { financeKinds } from '../../domain/finance/finance-words.ts'
import { collectionOf } from '../../records/record-place.ts'
import { notify } from '../../shell/notices.tsx'
import { newId } from '../../base/without-https.ts'

interface VerbOptions<Answer> {
  /** The notice after the action. */
  readonly said?: string
  onDone?(answer: Answer): unknown
}

/**
 * Returns an action on a document. Afterwards all queries that show documents are read again, because an action may
 * turn one document into another.
 */
export function useVerb<Input, Answer>(act: (input: Input) => Promise<Answer>, { said, onDone }: VerbOptions<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      if (said !== undefined) notify(said)
      await onDone?.(answer)
    },
    // The queries are read again after a refusal too, because somebody else may have been first.
    onSettled: () =>
      Promise.all(financeKinds.map((kind) => client.invalidateQueries({ queryKey: [collectionOf(kind)] }))),
  })
}

/**
 * Returns one Idempotency-Key for each content of a form, so that a repeated request after a lost connection creates
 * nothing twice.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return (content) => {
    const text = JSON.stringify(content)
    const key = keys.current.get(text) ?? newId()
    keys.current.set(text, key)
    return key
  }
}
