import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notify } from './notices.tsx'

interface ChangeOptions {
  /** What is said when it is done. */
  readonly said: string
  /** The first parts of the keys of what shows it. */
  readonly stale: readonly string[]
  onDone?(): void
}

/** A change that is told when it is done, and after which what shows it is read again. */
export function useChange<Input>(change: (input: Input) => Promise<unknown>, { said, stale, onDone }: ChangeOptions) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      notify(said)
      onDone?.()
      return Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })))
    },
  })
}
