// `npm run model` writes this file from the files in `plain/`.

/** The kinds of which nothing is special, by entity type. */
export const plainKinds = {} as const
