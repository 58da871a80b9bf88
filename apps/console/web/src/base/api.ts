import { createClient } from '@crm/client'
import { publicContract, settingsContract } from '@crm/contract'

const sameOrigin = { baseUrl: '', credential: 'cookie' } as const

/** The public API, as the person who is signed in. */
export const crm = createClient({ ...sameOrigin, contract: publicContract })

/** The settings API, as the person who is signed in. */
export const settings = createClient({ ...sameOrigin, contract: settingsContract })

/** The settings API for calls that check a password: a refusal for too many attempts is shown at once, never waited out. */
export const settingsOnce = createClient({ ...sameOrigin, contract: settingsContract, retries: 0 })
