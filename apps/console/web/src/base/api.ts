import { createClient } from '@crm/client'
import type { publicContract as PublicContract, settingsContract as SettingsContract } from '@crm/contract'
import { inBatches } from './batches.ts'
import { publicCalls, settingsCalls } from './contract.built.ts'
import { withProof } from './reauthentication.ts'
import { withRole } from './view-as.ts'

// The types of calls are those of the whole contract.
const publicContract = publicCalls as unknown as typeof PublicContract
const settingsContract = settingsCalls as unknown as typeof SettingsContract

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
