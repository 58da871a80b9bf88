// `npm run model` writes this file from the kinds in packages/model/src/plain.
export type { Referred } from '../plain-table.ts'
