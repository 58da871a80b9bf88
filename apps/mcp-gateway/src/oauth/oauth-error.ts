/** The error codes that this server answers with (RFC 6749, 7591, 8707). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable'

/** A refusal in the words of OAuth. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  /** Seconds until a retry makes sense. */
  readonly retryAfterS: number | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, retryAfterS }: { status?: number; retryAfterS?: number } = {},
  ) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = status
    this.retryAfterS = retryAfterS
  }
}
