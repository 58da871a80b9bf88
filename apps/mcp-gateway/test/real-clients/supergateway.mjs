import { connectThrough } from './bridge.mjs'

export const connect = (url, { authorization }) =>
  connectThrough('supergateway', 'dist/index.js', [
    '--streamableHttp',
    url,
    '--outputTransport',
    'stdio',
    '--header',
    `authorization: ${authorization}`,
  ])
