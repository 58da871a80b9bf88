import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, type FormEvent, type KeyboardEvent } from 'react'
import { fieldErrors, isRefusedWith } from '../base/refusals.ts'
import { t } from '../base/texts.ts'

interface Writing {
  /** The name under which the browser tab keeps the text until it is sent, such as over a new sign-in; nothing is kept without one. */
  readonly draft?: string
  /** The text to begin with. */
  readonly begin?: string
  send(body: string): Promise<unknown>
  onSent(): Promise<unknown>
}

function useKeptDraft(name: string | undefined, begin: string): readonly [string, (body: string) => void] {
  const key = `crm:draft:${name}`
  const [body, setBody] = useState(() => (name === undefined ? begin : (sessionStorage.getItem(key) ?? begin)))
  const keep = (next: string) => {
    setBody(next)
    if (name === undefined) return
    if (next === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
  }
  return [body, keep]
}

/**
 * Returns the attributes of a form, its text area and its button, and the refusal that is not about the text. The text
 * is sent by the button or by Ctrl + Enter, once at a time, and the text area is empty again afterwards.
 */
export function useWriting({ send, onSent, draft, begin = '' }: Writing) {
  const [body, setBody] = useKeptDraft(draft, begin)
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
    button: { type: 'submit', disabled: isEmpty, loading: sending.isPending, title: t('Ctrl + Enter') },
    refusal: isRefusedWith(sending.error, 'VALIDATION_ERROR') ? null : sending.error,
  } as const
}
