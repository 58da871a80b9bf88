/** The data that both generations of the SDK's client ask a credential store to keep; the rest is their own. */
interface Kept {
  client?: unknown
  tokens?: unknown
  verifier?: string
  /** The address that the person was to be sent to. */
  asked?: URL
}

/** Keeps the credentials of a client in memory and notes the address that it wants to send the person to. */
export function memoryProvider<Provider>(
  redirectUrl: string,
  metadata: object,
): { readonly provider: Provider; readonly kept: Kept } {
  const kept: Kept = {}
  const provider = {
    redirectUrl,
    clientMetadata: metadata,
    state: () => 'state of the test',
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.asked = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider: provider as Provider, kept }
}
