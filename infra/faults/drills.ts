import type { Drill } from './drill.ts'
import { bookings } from './drills/bookings.ts'
import { manyConnections } from './drills/connections.ts'
import { duplicates } from './drills/duplicates.ts'
import { frozenDatabase } from './drills/frozen-database.ts'
import { killedErasure } from './drills/killed-erasure.ts'
import { largeBodies, largeBodiesThroughNginx } from './drills/large-bodies.ts'
import { longLists } from './drills/long-lists.ts'
import { mailServer } from './drills/mail-server.ts'
import { mixedLoad } from './drills/mixed-load.ts'
import { pdfs } from './drills/pdfs.ts'
import { retention } from './drills/retention.ts'
import { signIns } from './drills/sign-ins.ts'
import { silentReceiver } from './drills/silent-receiver.ts'

/** Every drill, in the order of execution. */
export const drills: readonly Drill[] = [
  duplicates,
  longLists,
  frozenDatabase,
  pdfs,
  silentReceiver,
  signIns,
  largeBodies,
  largeBodiesThroughNginx,
  manyConnections,
  bookings,
  killedErasure,
  mailServer,
  retention,
  mixedLoad,
]
