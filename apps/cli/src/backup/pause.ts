/** Nothing is sent from then on. */
export const beginPause =
  'INSERT INTO installation (paused_at) VALUES (now()) ON CONFLICT (is_only) DO UPDATE SET paused_at = least(installation.paused_at, excluded.paused_at)'

/** The present queue knows none of the rows of another time, so every waiting row is handed on again. */
export const handOnAgain = 'UPDATE outbox SET relayed_at = NULL WHERE done_at IS NULL'
