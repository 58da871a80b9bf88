import { errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, Route, RoutingTable } from './routes.ts'

/** The edges that are files. */
export const edgeKinds = ['nginx', 'k8s'] as const

export type EdgeKind = (typeof edgeKinds)[number]

/** File of each generated edge, below infra. */
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
${services.map((name) => `\nupstream ${name} {\n  server ${name}:${containerPort};\n  keepalive 64;\n}\n`).join('')}
server {
  listen 8080;
  listen [::]:8080;

  # One line \`set_real_ip_from <address or range>;\` for each proxy in front.
  include /etc/nginx/trusted-proxies*.conf;
  real_ip_header X-Forwarded-For;
  real_ip_recursive on;

  client_max_body_size 0;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
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
    error_page 502 504 =503 @unavailable_${errors};
  }
`
}

function nginxErrors(errors: ErrorShape): string {
  return `
  location @unavailable_${errors} {
    internal;
    default_type application/json;
    add_header Retry-After 1 always;
    add_header Cache-Control no-store always;
    add_header X-Content-Type-Options nosniff always;
${Object.entries(errorHeaders(errors)).map(([name, value]) => `    add_header ${name} ${value} always;\n`).join('')}    return 503 '${JSON.stringify(unavailableBody(errors))}';
  }
`
}

/** An ingress cannot refuse a path by itself: what is hidden goes to the edge as well, which does. */
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
spec:
  rules:
    - http:
        paths:
${paths.join('')}`
}
