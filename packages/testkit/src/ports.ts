export { freePort } from '../../../infra/local/ports.ts'
