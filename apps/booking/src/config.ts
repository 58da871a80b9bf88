import { mailConfig } from '@crm/mail'
import { commonConfig, requestsConfig } from '@crm/runtime'
import { z } from 'zod'
import { callProviders, type JitsiConfig } from './rooms/call-provider.ts'

function urlList(pattern: RegExp) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((url) => url.trim())
        .filter(Boolean),
    )
    .refine((urls) => urls.every((url) => pattern.test(url)), `Expected addresses that match ${pattern.source}`)
}

/** The environment of the booking service. */
export const bookingConfig = z
  .object({
    ...commonConfig,
    ...mailConfig,
    MAIL_FROM: z
      .email()
      .optional()
      .describe('Address that mail comes from; bookings@ the host of BASE_URL unless told.'),
    CALL_PROVIDER: z
      .enum(callProviders)
      .default('builtin')
      .describe(
        'Who holds the video calls: builtin, jitsi (see JITSI_BASE_URL), or fail, which fails every call and is for tests only.',
      ),
    JITSI_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of your own Jitsi server, for CALL_PROVIDER=jitsi.'),
    JITSI_APP_ID: z.string().min(1).optional().describe('Application id of a Jitsi server that asks for tokens.'),
    JITSI_APP_SECRET: z
      .string()
      .min(1)
      .optional()
      .describe('Secret of that application; it signs a token for each room.'),
    STUN_URLS: urlList(/^stuns?:/).describe(
      'Comma-separated STUN servers for the builtin calls, such as stun:stun.example.com:3478; none unless told.',
    ),
    TURN_URLS: urlList(/^turns?:/).describe(
      'Comma-separated TURN servers for guests whose networks let nothing else through, such as turn:turn.example.com:3478.',
    ),
    TURN_SECRET: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Secret shared with the TURN servers (coturn: use-auth-secret); it makes credentials that end by themselves.',
      ),
    ...requestsConfig,
    DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(200).default(10).describe('Most connections to PostgreSQL.'),
  })
  .superRefine((config, issues) => {
    if (config.CALL_PROVIDER === 'jitsi' && config.JITSI_BASE_URL === undefined) {
      issues.addIssue({
        code: 'custom',
        path: ['JITSI_BASE_URL'],
        message: 'CALL_PROVIDER=jitsi needs the address of the server',
      })
    }
    if ((config.JITSI_APP_ID === undefined) !== (config.JITSI_APP_SECRET === undefined)) {
      issues.addIssue({
        code: 'custom',
        path: ['JITSI_APP_SECRET'],
        message: 'JITSI_APP_ID and JITSI_APP_SECRET belong together',
      })
    }
    if (config.TURN_URLS.length > 0 && config.TURN_SECRET === undefined) {
      issues.addIssue({ code: 'custom', path: ['TURN_SECRET'], message: 'TURN_URLS needs the secret of the servers' })
    }
  })

export type BookingConfig = z.output<typeof bookingConfig>

/** Returns the settings of the Jitsi server, if there is one. */
export function jitsiConfig({
  JITSI_BASE_URL: baseUrl,
  JITSI_APP_ID: appId,
  JITSI_APP_SECRET: appSecret,
}: BookingConfig): JitsiConfig | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, appId, appSecret }
}

/** Returns the sender address of mail. */
export function senderAddress({ MAIL_FROM, BASE_URL }: Pick<BookingConfig, 'MAIL_FROM' | 'BASE_URL'>): string {
  return MAIL_FROM ?? `bookings@${new URL(BASE_URL).hostname}`
}
