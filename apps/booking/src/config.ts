import { commonConfig } from '@crm/runtime'
import { z } from 'zod'
import { callProviders } from './call/call-provider.ts'

/** The environment of the booking service. */
export const bookingConfig = z
  .object({
    ...commonConfig,
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional().describe('SMTP server for mail; without it each message becomes a file in DATA_DIR/mail.'),
    MAIL_FROM: z.email().optional().describe('Address that mail comes from; bookings@ the host of BASE_URL unless told.'),
    CALL_PROVIDER: z
      .enum(callProviders)
      .default('builtin')
      .describe('Who holds the video calls: builtin, jitsi (see JITSI_BASE_URL), or fail, which fails every call and is for tests only.'),
    JITSI_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of your own Jitsi server, for CALL_PROVIDER=jitsi.'),
    DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(200).default(10).describe('Most connections to PostgreSQL.'),
  })
  .superRefine((config, issues) => {
    if (config.CALL_PROVIDER === 'fail' && config.NODE_ENV === 'production') {
      issues.addIssue({ code: 'custom', path: ['CALL_PROVIDER'], message: 'fail is for tests only and is refused when NODE_ENV is production' })
    }
    if (config.CALL_PROVIDER === 'jitsi' && config.JITSI_BASE_URL === undefined) {
      issues.addIssue({ code: 'custom', path: ['JITSI_BASE_URL'], message: 'CALL_PROVIDER=jitsi needs the address of the server' })
    }
  })

export type BookingConfig = z.output<typeof bookingConfig>

/** The address that mail comes from. */
export function senderAddress({ MAIL_FROM, BASE_URL }: Pick<BookingConfig, 'MAIL_FROM' | 'BASE_URL'>): string {
  return MAIL_FROM ?? `bookings@${new URL(BASE_URL).hostname}`
}
