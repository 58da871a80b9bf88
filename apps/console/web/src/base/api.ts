import { createClient } from '@crm/client'
import { publicContract, settingsContract } from '@crm/contract'
import { sendWithProof } from './reauthentication.ts'
import { withRole } from './view-as.ts'

const sameOrigin = { baseUrl: '', credential: 'cookie', fetch: withRole(sendWithProof) } as const

/** The client of the public API, as the signed-in person. */
export const crm = createClient({ ...sameOrigin, contract: publicContract })

/** The client of the settings API, as the signed-in person. */
export const settings = createClient({ ...sameOrigin, contract: settingsContract })

/** The settings API for calls that check a password: a refusal for too many attempts is shown at once, never waited out. */
export const settingsOnce = createClient({ ...sameOrigin, contract: settingsContract, retries: 0 })
