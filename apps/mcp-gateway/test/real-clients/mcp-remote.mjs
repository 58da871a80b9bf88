import { connectThrough } from './bridge.mjs'

export const connect = (url, { authorization }) =>
  connectThrough('mcp-remote', 'dist/proxy.js', [
    url,
    '--allow-http',
    '--transport',
    'http-only',
    '--header',
    `authorization:${authorization}`,
  ])
