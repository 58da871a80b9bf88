// This file is imported before everything else: the schemas of the contract would otherwise try to compile themselves
// with `new Function`, and the Content-Security-Policy refuses and reports that.
import { config } from 'zod'

config({ jitless: true })
