import type { QueryClient } from '@tanstack/react-query'
import { t } from '../../base/texts.ts'
import { later } from '../../shell/later.tsx'
import { LoadingLines } from '../../shell/states.tsx'
import { kindsQuery } from '../record-kinds.ts'
import { addressReader, isStanding, viewIdOf, type ListAddress } from './list-address.ts'
import { listQuery, viewsQuery } from './list-queries.ts'
import { isSummarized, pageQueryOf, stateOf, type ListState } from './list-state.ts'

/** The board, which a list needs only when it is arranged as one. */
export const Board = later(
  async () => (await import('./board.tsx')).Board,
  ({ words: { many } }) => <LoadingLines label={t('Loading {many}', { many })} />,
)

/** Begins to read a list before its page is loaded. */
export function startReading(client: QueryClient, entityType: string, search: ListAddress): void {
  const address = addressReader(entityType)(search)
  const state = stateOf(entityType, address, undefined, undefined)
  // What a saved view finds is known once it has been read.
  if (isStanding(viewIdOf(entityType, address))) {
    if (state.layout === 'table') void client.prefetchQuery(listQuery(entityType, pageQueryOf(entityType, state)))
    if (state.layout === 'board') void startBoard(client, entityType, state)
  }
  if (isSummarized(entityType)) void client.prefetchQuery(viewsQuery(entityType))
}

async function startBoard(client: QueryClient, entityType: string, state: ListState): Promise<void> {
  try {
    const [{ readBoard }, kinds] = await Promise.all([
      import('./board.tsx'),
      client.ensureQueryData(kindsQuery),
      Board.load(),
    ])
    const kind = kinds.find(({ key }) => key === entityType)
    if (kind) readBoard(client, kind, state)
  } catch {
    // The page asks again, and says what is wrong.
  }
}
