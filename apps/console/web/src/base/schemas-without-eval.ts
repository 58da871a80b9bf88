// Imported before everything else: the schemas of the contract would otherwise try to compile themselves with
// `new Function`, which the Content-Security-Policy refuses and reports.
import { config } from 'zod'

config({ jitless: true })
