/** What both generations of the SDK's client ask of whoever keeps their credentials; the rest is theirs. */
interface Kept {
  client?: unknown
  tokens?: unknown
  verifier?: string
  /** Where the person was to be sent. */
  asked?: URL
}

/** Keeps the credentials of a client in memory and notes where it wants to send the person. */
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
