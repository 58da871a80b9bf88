export * from './field.ts'
export * from './kind.ts'
export { deal, dealStatuses } from './kinds/deal.ts'
