import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deliver } from './deliver.ts'
import { notSent } from './outcome.ts'
import { whenNeeded } from './when-needed.ts'

/** Makes each message a file of a folder; where it cannot be written, for example on a full disk, the message waits. */
export function intoFolder(mailDir: string): Deliver {
  const transport = whenNeeded(async () =>
    (await import('nodemailer')).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  )
  return async ({ options, recipients, onHandedOver }) => {
    const { message: raw } = await (await transport()).sendMail(options)
    try {
      await keep(mailDir, raw)
    } catch (error) {
      return notSent(recipients, (error as Error).message)
    }
    onHandedOver()
    return { sent: recipients, refused: [], waiting: [], unknown: [] }
  }
}

async function keep(mailDir: string, raw: Parameters<typeof writeFile>[1]): Promise<void> {
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
  // Mail holds links with access rights, so other users of the machine must not read it.
  await mkdir(mailDir, { recursive: true, mode: 0o700 })
  await chmod(mailDir, 0o700)
  // A program that watches the folder never sees half a message.
  await writeFile(join(mailDir, `.${name}.part`), raw, { mode: 0o600 })
  await rename(join(mailDir, `.${name}.part`), join(mailDir, name))
}
