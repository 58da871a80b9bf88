import { ClientError } from '@crm/client'
import { sendWithProof } from './reauthentication.ts'

/** Saves the file at an address of the API, after a proof of the person if the API wants one. */
export async function download(url: string, name: string): Promise<void> {
  const answer = await sendWithProof(url, { credentials: 'same-origin' })
  if (!answer.ok) throw new ClientError(answer.status, await answer.json())
  const address = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}
