import type { Surface } from '@crm/contract'
import type { AnyPorts, Exchange, Step } from './exchange.ts'
import { applySavedFilter } from './steps/apply-saved-filter.ts'
import { authenticate } from './steps/authenticate.ts'
import { authorize } from './steps/authorize.ts'
import { checkAddress } from './steps/check-address.ts'
import { checkCoding } from './steps/check-coding.ts'
import { checkOrigin } from './steps/check-origin.ts'
import { checkSchema } from './steps/check-schema.ts'
import { countAnonymous } from './steps/count-anonymous.ts'
import { countRequest } from './steps/count-request.ts'
import { findWorkspace } from './steps/find-workspace.ts'
import { queryPolicy } from './steps/query-policy.ts'
import { readShape } from './steps/read-shape.ts'
import { refuseDisabled } from './steps/refuse-disabled.ts'
import { requireFresh, requireFreshForFields } from './steps/require-fresh.ts'
import { requireVersion } from './steps/require-version.ts'
import { takePlace } from './steps/take-place.ts'
import { validate } from './steps/validate.ts'

/** When a step runs: before the body is read, or after. */
type Phase = 'beforeBody' | 'afterBody'

interface Row extends Readonly<Record<Surface, boolean>> {
  readonly step: Step
  readonly phase: Phase
}

const step = (check: Step, phase: Phase, on: Readonly<Record<Surface, boolean>>): Row => ({ step: check, phase, ...on })
const yes = true
const no = false

/** The order of all checks, for every surface; the handler follows, with idempotency around it and the answer after it. */
// oxfmt-ignore
const pipeline: readonly Row[] = [
  step(findWorkspace,    'beforeBody', { public: yes, settings: yes, booking: yes, scim: yes }),
  step(authenticate,     'beforeBody', { public: yes, settings: yes, booking: no,  scim: yes }),
  step(countRequest,     'beforeBody', { public: yes, settings: yes, booking: no,  scim: yes }),
  step(countAnonymous,   'beforeBody', { public: no,  settings: yes, booking: yes, scim: no  }),
  step(takePlace,        'beforeBody', { public: yes, settings: yes, booking: yes, scim: yes }),
  step(refuseDisabled,   'beforeBody', { public: yes, settings: yes, booking: no,  scim: yes }),
  step(checkAddress,     'beforeBody', { public: yes, settings: yes, booking: no,  scim: yes }),
  step(checkOrigin,      'beforeBody', { public: yes, settings: yes, booking: no,  scim: no  }),
  step(checkSchema,      'beforeBody', { public: yes, settings: no,  booking: no,  scim: yes }),
  step(authorize,        'beforeBody', { public: yes, settings: yes, booking: no,  scim: yes }),
  step(requireFresh,     'beforeBody', { public: yes, settings: yes, booking: no,  scim: no  }),
  step(queryPolicy,      'beforeBody', { public: yes, settings: yes, booking: yes, scim: yes }),
  step(applySavedFilter, 'beforeBody', { public: yes, settings: no,  booking: no,  scim: no  }),
  step(checkCoding,      'beforeBody', { public: yes, settings: yes, booking: yes, scim: yes }),
  step(validate,         'afterBody',  { public: yes, settings: yes, booking: yes, scim: yes }),
  step(requireFreshForFields, 'afterBody', { public: yes, settings: yes, booking: no,  scim: no  }),
  step(requireVersion,   'afterBody',  { public: yes, settings: yes, booking: no,  scim: no  }),
  step(readShape,        'afterBody',  { public: yes, settings: no,  booking: no,  scim: no  }),
]

/** Returns the steps of one surface and phase, in order. */
export function stepsOf(surface: Surface, phase: Phase): readonly Step[] {
  return pipeline.filter((row) => row[surface] && row.phase === phase).map((row) => row.step)
}

/** Runs steps in order; the first refusal ends the run. The result is no promise when no step is asynchronous. */
export function runSteps(steps: readonly Step[], exchange: Exchange, ports: AnyPorts): Promise<void> | undefined {
  for (const [at, check] of steps.entries()) {
    const pending = check(exchange, ports)
    if (pending) return pending.then(() => runSteps(steps.slice(at + 1), exchange, ports))
  }
  return undefined
}
