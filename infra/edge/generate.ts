import { strictTransport } from './headers.ts'
import { crowdedRetryAfterS, keepAliveMs, usualBounds, usualDeadlines } from './bounds.ts'
import { brotliQuality, compressedFrom, gzipLevel, textTypes } from './compress.ts'
import { triesMax } from './upstreams.ts'
import { crowdedBody, errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, Route, RoutingTable } from './routes.ts'

/** The edges that are configuration files. */
export const edgeKinds = ['nginx', 'caddy', 'k8s'] as const

export type EdgeKind = (typeof edgeKinds)[number]

/** The file of each generated edge, below infra. */
export const edgeFiles: Readonly<Record<EdgeKind, string>> = {
  nginx: 'edge/nginx.conf',
  caddy: 'edge/Caddyfile',
  k8s: 'k8s/base/ingress.yaml',
}

export interface EdgeSettings {
  readonly table?: RoutingTable
  /** The addresses of deployables, such as `10.0.0.5:3000`; one without addresses is reached by its name. */
  readonly upstreams?: Readonly<Record<string, readonly string[]>>
  /** Whether nginx has the module for brotli. */
  readonly brotli?: boolean
}

/** Writes the routing table in the language of another edge. */
export function edgeFor(
  kind: EdgeKind,
  { table = routingTable, upstreams = {}, brotli = false }: EdgeSettings = {},
): string {
  const wanted: Wanted = {
    table,
    upstreams,
    brotli,
    services: [...new Set(table.routes.map(({ service }) => service)), healthService],
  }
  return { nginx: nginxConf, caddy: caddyfile, k8s: k8sIngress }[kind](wanted)
}

interface Wanted extends Required<EdgeSettings> {
  /** The deployables that have routes, and the one that answers for all. */
  readonly services: readonly string[]
}

/** Reads `booking=10.0.0.5:3000,booking=10.0.0.6:3000`. Fails with a sentence for anything else. */
export function readUpstreams(text: string, table: RoutingTable = routingTable): Record<string, string[]> {
  const upstreams: Record<string, string[]> = {}
  for (const each of text.split(',').map((one) => one.trim())) {
    const [, service = '', address = ''] = /^([\w-]+)=((?:[\w.-]+|\[[\da-f:]+\]):\d{1,5})$/i.exec(each) ?? []
    if (address === '') throw new Error(`Write NAME=HOST:PORT instead of "${each}"`)
    if (![...table.services, healthService].includes(service))
      throw new Error(`There is no ${service}; the names are ${[...table.services, healthService].join(', ')}`)
    ;(upstreams[service] ??= []).push(address)
  }
  return upstreams
}

function addressesOf({ table, upstreams }: Wanted, service: string): readonly string[] {
  return upstreams[service] ?? [`${service}:${table.containerPort}`]
}

const generatedFrom = '# Generated from infra/routes.json by `npm run edges`; do not edit.\n'

/** The service that answers `/healthz` for all where the edge itself cannot: infra/edge/main.ts. */
const healthService = 'edge'

function nginxConf(wanted: Wanted): string {
  const { services } = wanted
  const upstreams = services.map((name) => nginxUpstream(name, addressesOf(wanted, name))).join('')
  return `${generatedFrom}
${nginxMaps}${upstreams}
${nginxServer(wanted)}`
}

/** What is told apart by the head of a request. */
const nginxMaps = `map $http_upgrade $connection_upgrade {
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
# The size of a compressed answer tells of a secret in it, and answers to changes may show one.
map $request_method $crm_plain {
  default 1;
  GET     '';
  HEAD    '';
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
`

function nginxServer({ table: { routes, hidden }, brotli }: Wanted): string {
  const shapes = [...new Set(routes.map(({ errors }) => errors))]
  return `server {
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

  # The next process is asked when one takes no connection or hangs up; a request with effects only if nothing of it was sent.
  proxy_connect_timeout 2s;
  proxy_next_upstream error timeout;
  proxy_next_upstream_tries ${triesMax};

  gzip on;
  gzip_comp_level ${gzipLevel};
  gzip_vary on;
  gzip_proxied any;
  gzip_min_length ${compressedFrom};
  gzip_types ${gzipTypes};
${brotli ? `  brotli on;\n  brotli_comp_level ${brotliQuality};\n  brotli_min_length ${compressedFrom};\n  brotli_types ${gzipTypes};\n` : ''}
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
${hidden.map((path) => `\n  location = ${path} {\n    return 404;\n  }\n`).join('')}${routes.map((route) => nginxLocation(route, brotli)).join('')}${shapes.map(nginxErrors).join('')}}
`
}

/** A process that refuses a connection is left out for a moment. */
function nginxUpstream(name: string, addresses: readonly string[]): string {
  const wait = addresses.length > 1 ? ' max_fails=1 fail_timeout=2s' : ''
  return `\nupstream ${name} {\n${addresses.map((address) => `  server ${address}${wait};\n`).join('')}  keepalive 64;\n}\n`
}

/** nginx always compresses pages. */
const gzipTypes = textTypes.filter((type) => type !== 'text/html').join(' ')

function nginxLocation({ path, service, errors, secrets, reads }: Route, brotli: boolean): string {
  const matcher = path.endsWith('/') ? '^~' : '='
  const plain = (indent: string): string =>
    ['gzip', ...(brotli ? ['brotli'] : [])].map((name) => `${indent}${name} off;\n`).join('')
  const guarded = reads === true ? '' : `    if ($crm_plain) {\n${plain('      ')}    }\n`
  const guard = secrets === true ? plain('    ') : guarded
  return `
  location ${matcher} ${path} {
${guard}    proxy_pass http://${service};
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

/** Writes the file of Caddy. Every proxy on the way stays in X-Forwarded-For, so the deployables have to trust the same ones. */
function caddyfile(wanted: Wanted): string {
  const { routes, hidden } = wanted.table
  // The first route that fits takes a request, so longer paths come first.
  const ordered = routes.toSorted((one, other) => other.path.length - one.path.length)
  const shapes = [...new Set(ordered.map(({ errors }) => errors))]
  return `${generatedFrom}# SITE is the address of the site, such as \`crm.example.com\`, for which Caddy gets a certificate; by default it listens on port 8080 without TLS.
# TRUSTED_PROXIES names the addresses and ranges of proxies in front, with blanks between them.
{
	admin off
	servers {
		timeouts {
			read_header ${usualDeadlines.headersMs / 1_000}s
			idle ${keepAliveMs / 1_000}s
		}
	}
	log {
		format json
		level WARN
	}
}

(deployable) {
	lb_policy round_robin
	lb_retries ${triesMax - 1}
	lb_retry_match {
		method GET HEAD
	}
	fail_duration 2s
	trusted_proxies {$TRUSTED_PROXIES:0.0.0.0/32}
	header_down ETag \`^"\` \`W/"\`
	header_down +Vary Accept-Encoding
	header_up -Forwarded
	header_up -X-Real-IP
	header_up -X-Crm-Source
	header_up -X-Forwarded-Port
	header_up -X-Forwarded-Prefix
	transport http {
		dial_timeout 2s
	}
}

# The size of a compressed answer tells of a secret in it, and answers to changes may show one.
(texts) {
	encode @reads {
		gzip ${gzipLevel}
		minimum_length ${compressedFrom}
		match {
${textTypes.map((type) => `			header Content-Type ${type}*\n`).join('')}		}
	}
}

${shapes.map(caddyError).join('')}
{$SITE::8080} {
	@https protocol https
	header @https ?Strict-Transport-Security ${strictTransport}

	route {
		# Whoever is behind a proxy that nobody named cannot be told apart.
		@hidden {
			header X-Forwarded-For *
			not remote_ip {$TRUSTED_PROXIES:0.0.0.0/32}
		}
		request_header -X-Forwarded-Untrusted
		request_header @hidden X-Forwarded-Untrusted 1

		handle /healthz {
${caddyProxy(wanted, healthService)}		}
${hidden.map((path) => `		handle ${path} {\n			respond 404\n		}\n`).join('')}${ordered.map((route) => caddyRoute(wanted, route)).join('')}	}

	handle_errors {
		header Content-Type "application/json"
		header Cache-Control no-store
		header X-Content-Type-Options nosniff
		header Retry-After 1
${ordered.map(({ path, errors }, at) => `		@route${at} path ${caddyPath(path)}\n		handle @route${at} {\n			import unavailable_${errors}\n		}\n`).join('')}	}
}
`
}

const caddyPath = (path: string): string => (path.endsWith('/') ? `${path}*` : path)

function caddyRoute(wanted: Wanted, { path, service, secrets, reads }: Route): string {
  const texts =
    secrets === true ? '' : `			@reads method GET HEAD${reads === true ? ' POST' : ''}\n			import texts\n`
  return `		handle ${caddyPath(path)} {\n${texts}${caddyProxy(wanted, service)}		}\n`
}

/** Processes by address are asked whether they are ready; a name is resolved again and again, because its processes come and go. */
function caddyProxy({ table, upstreams }: Wanted, service: string): string {
  const addresses = upstreams[service]
  const isChecked = addresses && service !== healthService
  const found = isChecked
    ? `				health_uri /readyz\n				health_interval 1s\n				health_timeout 2s\n`
    : addresses
      ? ''
      : `				dynamic a {\n					name ${service}\n					port ${table.containerPort}\n					refresh 1s\n				}\n`
  return `			reverse_proxy${(addresses ?? []).map((address) => ` ${address}`).join('')} {\n${found}				import deployable\n			}\n`
}

function caddyError(errors: ErrorShape): string {
  const headers = Object.entries(errorHeaders(errors)).map(([name, value]) => `	header ${name} "${value}"\n`)
  return `\n(unavailable_${errors}) {\n${headers.join('')}	respond \`${JSON.stringify(unavailableBody(errors))}\` 503\n}\n`
}

/** Writes the ingress, which cannot refuse a path by itself: hidden paths go to the edge too, which refuses them. */
function k8sIngress({ table: { routes, hidden, containerPort } }: Wanted): string {
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
    nginx.ingress.kubernetes.io/proxy-buffering: 'off'
    nginx.ingress.kubernetes.io/proxy-connect-timeout: '2'
    nginx.ingress.kubernetes.io/proxy-next-upstream: error timeout
    nginx.ingress.kubernetes.io/proxy-next-upstream-tries: '${triesMax}'
    nginx.ingress.kubernetes.io/limit-connections: '${usualBounds.connectionsPerAddress}'
spec:
  rules:
    - http:
        paths:
${paths.join('')}`
}
