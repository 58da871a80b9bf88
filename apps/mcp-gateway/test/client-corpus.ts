/** Registrations and authorizations in the form in which AI clients send them. */
export interface KnownClient {
  readonly name: string
  readonly registration: Readonly<Record<string, unknown>>
  /** The address that the client asks to be sent back to; loopback ones differ in their port. */
  readonly redirectUri: string
  /** The parameters that the client adds to the authorization request besides PKCE and state. */
  readonly extra: Readonly<Record<string, string | null>>
}

/** The clients that the README tells how to connect, with the requests that each of them is known to send. */
export function knownClients(resource: string): readonly KnownClient[] {
  const usual = {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  return [
    {
      name: 'Claude',
      registration: {
        ...usual,
        client_name: 'Claude',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'VIEW_LEAD VIEW_DEAL',
        client_uri: 'https://claude.ai',
      },
      redirectUri: 'https://claude.ai/api/mcp/auth_callback',
      extra: { resource, scope: 'VIEW_LEAD VIEW_DEAL' },
    },
    {
      name: 'Claude Code',
      registration: { ...usual, client_name: 'Claude Code (crm)', redirect_uris: ['http://localhost:54212/callback'] },
      redirectUri: 'http://localhost:61234/callback',
      extra: { resource },
    },
    {
      name: 'ChatGPT',
      registration: {
        ...usual,
        client_name: 'ChatGPT',
        redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
        application_type: 'web',
      },
      redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
      extra: { resource, scope: 'VIEW_LEAD offline_access' },
    },
    {
      name: 'VS Code',
      registration: {
        client_name: 'Visual Studio Code',
        client_uri: 'https://code.visualstudio.com',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        redirect_uris: [
          'https://insiders.vscode.dev/redirect',
          'https://vscode.dev/redirect',
          'http://localhost/',
          'http://127.0.0.1/',
          'http://localhost:33418/',
          'http://127.0.0.1:33418/',
        ],
      },
      redirectUri: 'http://127.0.0.1:49811/',
      extra: { resource, prompt: 'select_account', client_info: '1' },
    },
    {
      name: 'VS Code in the browser',
      registration: {
        ...usual,
        client_name: 'Visual Studio Code',
        redirect_uris: ['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect'],
      },
      redirectUri: 'https://vscode.dev/redirect',
      extra: { resource: null, scope: null },
    },
    {
      name: 'Cursor',
      registration: {
        ...usual,
        client_name: 'Cursor',
        client_uri: 'https://cursor.com',
        logo_uri: 'https://cursor.com/logo.png',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/user-crm/callback'],
      },
      redirectUri: 'cursor://anysphere.cursor-mcp/oauth/user-crm/callback',
      extra: { resource },
    },
    {
      name: 'Codex',
      registration: { ...usual, client_name: 'Codex', redirect_uris: ['http://127.0.0.1:1455/callback'], scope: '' },
      redirectUri: 'http://127.0.0.1:40001/callback',
      extra: { resource, scope: 'openid profile' },
    },
    {
      name: 'MCP Inspector',
      registration: {
        ...usual,
        client_name: 'MCP Inspector',
        client_uri: 'https://github.com/modelcontextprotocol/inspector',
        redirect_uris: ['http://localhost:6274/oauth/callback/debug', 'http://localhost:6274/oauth/callback'],
        scope: 'VIEW_LEAD',
      },
      redirectUri: 'http://localhost:6274/oauth/callback',
      extra: { resource, scope: 'VIEW_LEAD' },
    },
    {
      name: 'an app with a scheme of its own',
      registration: {
        ...usual,
        redirect_uris: ['com.example.notes:/oauth2redirect'],
        contacts: ['dev@notes.example'],
        software_id: 'x',
        jwks: { keys: [] },
        default_max_age: 3,
      },
      redirectUri: 'com.example.notes:/oauth2redirect',
      extra: { resource },
    },
    {
      name: 'a program on IPv6',
      registration: { ...usual, client_name: 'Six', redirect_uris: ['http://[::1]/cb?keep=1'] },
      redirectUri: 'http://[::1]:8765/cb?keep=1',
      extra: { resource },
    },
  ]
}

/** Addresses that no client may be sent back to. */
export const hostileRedirects: readonly unknown[] = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.example/x',
  'about:blank',
  'view-source:https://a.example',
  'ftp://a.example/cb',
  'ws://a.example/cb',
  'wss://a.example/cb',
  'mailto:a@a.example',
  'tel:+49301234',
  'intent://x#Intent;end',
  'http://a.example/cb',
  'http://localhost.a.example/cb',
  'http://127.0.0.1.a.example/cb',
  'http://10.0.0.1/cb',
  'http://0.0.0.0/cb',
  'http://localhost@a.example/cb',
  'https://a.example/cb#fragment',
  'https://a.example/cb#',
  'https://user@a.example/cb',
  'https://user:secret@a.example/cb',
  'https://@a.example/cb',
  'cursor://user@host/cb',
  'https://*.a.example/cb',
  'https://a.example/*',
  'https:///cb',
  'https:a.example',
  'https://a.example\\@b.example',
  '//a.example/cb',
  '/cb',
  'cb',
  '',
  ' https://a.example/cb',
  'https://a.example/c b',
  'https://a.example/\r\nx: y',
  `https://a.example/${'x'.repeat(2_000)}`,
  42,
  null,
  {},
  ['https://a.example/cb'],
]
