import manifest from '../package.json' with { type: 'json' }

/** The version of the product; all packages have the same. */
export const productVersion: string = manifest.version

/** What the product calls itself in requests to others (`User-Agent`). */
export const productAgent = `workspace-crm/${productVersion}`
