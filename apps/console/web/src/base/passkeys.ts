import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/** The options of the API, which the browser checks itself. */
type Options = Readonly<Record<string, unknown>>

/** Whether this browser can make and show passkeys. */
export const hasPasskeys = 'PublicKeyCredential' in window

/** Asks the device for a passkey by the options of the API. Throws when the person declines. */
export async function showPasskey(options: Options) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return answerOf(
    await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  )
}

/** Makes a passkey on the device by the options of the API. Throws when the person declines. */
export async function makePasskey(options: Options) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return answerOf(
    await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  )
}

/** Returns the answer of a device as the API takes it. */
function answerOf({
  id,
  rawId,
  authenticatorAttachment,
  response,
}: AuthenticationResponseJSON | RegistrationResponseJSON) {
  return { id, rawId, type: 'public-key' as const, authenticatorAttachment, response: { ...response } }
}
