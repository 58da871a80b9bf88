import { createClient } from '@crm/client'
import { publicContract, settingsContract } from '@crm/contract'
import { inBatches } from './batches.ts'
import { withProof } from './reauthentication.ts'
import { withRole } from './view-as.ts'

const sender = (aloneMax?: number) => withRole(withProof(inBatches((url, init) => fetch(url, init), aloneMax)))
const sameOrigin = { baseUrl: '', credential: 'cookie', fetch: sender() } as const

/** The client of the public API, as the signed-in person. */
export const crm = createClient({ ...sameOrigin, contract: publicContract })

/** The client of the settings API, as the signed-in person. */
export const settings = createClient({ ...sameOrigin, contract: settingsContract })

/** The settings API for calls that check a password: a refusal for too many attempts is shown at once, never waited out. */
export const settingsOnce = createClient({ ...sameOrigin, contract: settingsContract, retries: 0 })

const besidePages = { ...sameOrigin, fetch: sender(0) } as const

/** The same clients for what stands beside every page and holds up none: all reads of one moment go in one request. */
export const beside = {
  crm: createClient({ ...besidePages, contract: publicContract }),
  settings: createClient({ ...besidePages, contract: settingsContract }),
} as const
