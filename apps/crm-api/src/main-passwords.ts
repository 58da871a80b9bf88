// Estimates passwords for its parent process: the dictionaries would stay in the memory of the API.
import { estimateHere } from '@crm/identity/password-estimate'
import type { PasswordToEstimate } from './domain/sign-in/password-estimate.ts'
import { doSideWork } from './beside/side-program.ts'

doSideWork<PasswordToEstimate, number>(async ({ password, known }) => ({ result: await estimateHere(password, known) }))
