import manifest from '../package.json' with { type: 'json' }

/** The version of the product; all packages have the same. */
export const productVersion: string = manifest.version
