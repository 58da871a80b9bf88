import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is told of the demo workspace that `crm db seed-demo` writes to demo.json. */
export interface Demo {
  readonly admin: { readonly email: string; readonly password: string }
  readonly apiKey: string
  readonly bookingLink: { readonly url: string }
  readonly mcpUrl: string
  readonly mailDir: string
}

/** Reads $DATA_DIR/demo.json, if there is a demo workspace. */
export function readDemo(dataDir: string): Demo | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  } catch {
    return undefined
  }
}

/** What is printed when all is ready: the address, the sign-in, a key, and three lines to try. */
export function welcomeText(baseUrl: string, demo: Demo | undefined): string {
  if (demo === undefined) return `\nReady at ${baseUrl}\nPress Ctrl-C to stop.`
  const { admin, apiKey, bookingLink, mcpUrl, mailDir } = demo
  return `
Ready at     ${baseUrl}
Sign in as   ${admin.email}  with  ${admin.password}
API key      ${apiKey}
Mails go to  ${mailDir}

Three lines to try:
  curl -H 'Authorization: Bearer ${apiKey}' '${baseUrl}/api/leads?pageSize=3'
  curl -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' ${mcpUrl}
  open ${bookingLink.url} in a browser and book a call

Press Ctrl-C to stop.`
}
