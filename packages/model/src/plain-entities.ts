// `npm run model` writes this file from the files in `plain/`.

/** The entity type of a kind of which nothing is special. */
export type PlainEntity = never
