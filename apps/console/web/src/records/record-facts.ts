import { recordFacts, type RecordFacts } from '../base/contract.built.ts'

/** Returns what the API does with the records of a kind; a type that is not built in is a custom entity. */
export function factsOf(entityType: string): RecordFacts {
  return (Object.hasOwn(recordFacts, entityType) ? recordFacts[entityType] : recordFacts['CUSTOM']) as RecordFacts
}
