import type { Demo } from './seed-demo.ts'

/** Tells people how to get into the demo workspace and gives three commands to try. */
export function welcomeText({ baseUrl, admin, apiKey, mailDir, mcpUrl, bookingLink }: Demo): string {
  const linkLine =
    bookingLink === null
      ? `open ${baseUrl} in a browser and sign in`
      : `open ${bookingLink.url} in a browser and book a call`
  return `The demo workspace
  Address      ${baseUrl}
  Sign in as   ${admin.email}  with  ${admin.password ?? 'the password that you chose'}
  API key      ${apiKey}
  Mails go to  ${mailDir ?? 'the server of SMTP_URL'}

Three lines to try:
  curl -H 'Authorization: Bearer ${apiKey}' '${baseUrl}/api/leads?pageSize=3'
  curl -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' ${mcpUrl}
  ${linkLine}`
}
