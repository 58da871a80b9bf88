import { strictTransport } from './headers.ts'
import { crowdedRetryAfterS, keepAliveMs, usualBounds, usualDeadlines } from './bounds.ts'
import { crowdedBody, errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, Route, RoutingTable } from './routes.ts'

/** The edges that are configuration files. */
export const edgeKinds = ['nginx', 'k8s'] as const

export type EdgeKind = (typeof edgeKinds)[number]

/** The file of each generated edge, below infra. */
export const edgeFiles: Readonly<Record<EdgeKind, string>> = { nginx: 'edge/nginx.conf', k8s: 'k8s/ingress.yaml' }

/** Writes the routing table in the language of another edge. */
export function edgeFor(kind: EdgeKind, table: RoutingTable = routingTable): string {
  return { nginx: nginxConf, k8s: k8sIngress }[kind](table)
}

const generatedFrom = '# Generated from infra/routes.json by `npm run edges`; do not edit.\n'

/** The service that answers `/healthz` for all where the edge itself cannot: infra/edge/main.ts. */
const healthService = 'edge'

function nginxConf({ routes, hidden, containerPort }: RoutingTable): string {
  const services = [...new Set(routes.map(({ service }) => service)), healthService]
  const shapes = [...new Set(routes.map(({ errors }) => errors))]
  return `${generatedFrom}
map $http_upgrade $connection_upgrade {
  default upgrade;
  ''      '';
}

# Whoever is behind a proxy that nobody named cannot be told apart.
map "$remote_addr $realip_remote_addr $http_x_forwarded_for" $crm_untrusted {
  default '';
  '~^(\\S+) \\1 .' 1;
}

# How much one address has at once; the settings of the other edges have the same defaults.
map $http_upgrade $crm_upgrade_from {
  default $binary_remote_addr;
  ''      '';
}
map $upstream_http_connection $crm_closing {
  default '';
  ~*close close;
}

# Only a proxy that somebody named says by which scheme its client came.
map "$remote_addr $realip_remote_addr $http_x_forwarded_proto" $crm_scheme {
  default         $scheme;
  '~^(\\S+) \\1 ' $scheme;
  '~ https$'      https;
}
map "$crm_scheme $upstream_http_strict_transport_security" $crm_transport {
  default   '';
  'https ' '${strictTransport}';
}
map $http_authorization $crm_credential {
  default $http_authorization;
  ''      $http_cookie;
}
limit_conn_zone $binary_remote_addr zone=crm_requests:10m;
limit_conn_zone $crm_credential zone=crm_credentials:10m;
limit_conn_zone $crm_upgrade_from zone=crm_upgrades:10m;
${services.map((name) => `\nupstream ${name} {\n  server ${name}:${containerPort};\n  keepalive 64;\n}\n`).join('')}
server {
  listen 8080;
  listen [::]:8080;

  # One line \`set_real_ip_from <address or range>;\` for each proxy in front.
  include /etc/nginx/trusted-proxies*.conf;
  real_ip_header X-Forwarded-For;
  real_ip_recursive on;

  limit_conn crm_requests ${usualBounds.connectionsPerAddress};
  limit_conn crm_credentials ${usualBounds.connectionsPerAddress};
  limit_conn crm_upgrades ${usualBounds.upgradesPerAddress};
  limit_conn_status 429;

  client_header_timeout ${usualDeadlines.headersMs / 1_000}s;
  client_body_timeout ${usualDeadlines.pieceMs / 1_000}s;
  keepalive_timeout ${keepAliveMs / 1_000}s;

  # A deployable closes the connection when it answers before a large body is there, and so does nginx.
  add_header Connection $crm_closing always;
  add_header Strict-Transport-Security $crm_transport always;

  # The deployables say what is too large, each in its own words.
  client_max_body_size 0;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $crm_scheme;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Untrusted $crm_untrusted;
  proxy_set_header X-Forwarded-Port '';
  proxy_set_header X-Forwarded-Prefix '';
  proxy_set_header X-Real-IP '';
  proxy_set_header X-Crm-Source '';
  proxy_set_header Forwarded '';

  location = /healthz {
    proxy_pass http://${healthService};
  }
${hidden.map((path) => `\n  location = ${path} {\n    return 404;\n  }\n`).join('')}${routes.map(nginxLocation).join('')}${shapes.map(nginxErrors).join('')}}
`
}

function nginxLocation({ path, service, errors }: Route): string {
  const matcher = path.endsWith('/') ? '^~' : '='
  return `
  location ${matcher} ${path} {
    proxy_pass http://${service};
    error_page 429 = @crowded_${errors};
    error_page 502 504 =503 @unavailable_${errors};
  }
`
}

function nginxErrors(errors: ErrorShape): string {
  const answers = [
    { name: 'unavailable', status: 503, retryAfterS: '1', body: unavailableBody(errors) },
    { name: 'crowded', status: 429, retryAfterS: crowdedRetryAfterS, body: crowdedBody(errors, 429) },
  ]
  return answers
    .map(
      ({ name, status, retryAfterS, body }) => `
  location @${name}_${errors} {
    internal;
    default_type application/json;
    add_header Retry-After ${retryAfterS} always;
    add_header Cache-Control no-store always;
    add_header X-Content-Type-Options nosniff always;
    add_header Strict-Transport-Security $crm_transport always;
${Object.entries(errorHeaders(errors))
  .map(([header, value]) => `    add_header ${header} ${value} always;\n`)
  .join('')}    return ${status} '${JSON.stringify(body)}';
  }
`,
    )
    .join('')
}

/** Writes the ingress, which cannot refuse a path by itself: hidden paths go to the edge too, which refuses them. */
function k8sIngress({ routes, hidden, containerPort }: RoutingTable): string {
  const edgePaths = ['/healthz', ...hidden].map((path) => ({ path, service: healthService }))
  const paths = [...edgePaths, ...routes].map(({ path, service }) => {
    const pathType = path.endsWith('/') ? 'Prefix' : 'Exact'
    return `          - path: ${path}\n            pathType: ${pathType}\n            backend: { service: { name: ${service}, port: { number: ${containerPort} } } }\n`
  })
  return `${generatedFrom}apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: workspace-crm
  # For ingress-nginx; another controller needs the same in its own words: bodies of any size, unbuffered, and limits by address.
  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: '0'
    nginx.ingress.kubernetes.io/proxy-request-buffering: 'off'
    nginx.ingress.kubernetes.io/limit-connections: '${usualBounds.connectionsPerAddress}'
spec:
  rules:
    - http:
        paths:
${paths.join('')}`
}
