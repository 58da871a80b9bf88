import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notify } from './notices.tsx'

interface ChangeOptions {
  /** The notice after the change. */
  readonly said: string
  /** The first keys of the queries that show the changed data. */
  readonly stale: readonly string[]
  onDone?(): void
}

/** Returns a change with a notice; after it, the queries that show the data are read again. */
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
