/** The parts of an address, in the order in which people type them. */
export const addressParts = ['line1', 'line2', 'postalCode', 'city', 'region', 'country'] as const

export type AddressPart = (typeof addressParts)[number]
