import { plainCalendar, type DeclaredOperation } from '@crm/contract'
import { checkedValues, type SentValues } from './steps/validate.ts'
import { shapeOf } from './steps/read-shape.ts'

/** Returns the error with which the pipeline ends a request because of its values; undefined when they go on to the handler. */
export function refusalOf(declared: DeclaredOperation, sent: SentValues): unknown {
  try {
    const { query } = checkedValues(declared, sent, { calendar: plainCalendar, employeeId: undefined })
    shapeOf(declared.operation, query)
    return undefined
  } catch (error) {
    return error
  }
}
