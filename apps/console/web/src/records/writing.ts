import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, type FormEvent, type KeyboardEvent } from 'react'
import { fieldErrors, isRefusedWith } from '../base/refusals.ts'

/**
 * Returns the attributes of a form, its text area and its button, and the refusal that is not about the text. The text
 * is sent by the button or by Ctrl + Enter, once at a time, and the text area is empty again afterwards.
 */
export function useWriting({ send, onSent }: { send(body: string): Promise<unknown>; onSent(): Promise<unknown> }) {
  const [body, setBody] = useState('')
  const sending = useMutation({
    mutationFn: () => send(body),
    onSuccess: () => {
      setBody('')
      return onSent()
    },
  })
  const isEmpty = body.trim() === ''
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isEmpty && !sending.isPending) sending.mutate()
  }
  return {
    onSubmit: submit,
    setText: setBody,
    area: {
      value: body,
      error: fieldErrors(sending.error)['body'],
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => setBody(event.currentTarget.value),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      },
    },
    button: { type: 'submit', disabled: isEmpty, loading: sending.isPending, title: 'Ctrl + Enter' },
    refusal: isRefusedWith(sending.error, 'VALIDATION_ERROR') ? null : sending.error,
  } as const
}
