/** Images by the argument of the Dockerfile that names them: `{ NODE_IMAGE: 'node:26-slim' }`. */
export type Images = Readonly<Record<string, string>>

const answersWithinMs = 30_000
const docker = { host: 'registry-1.docker.io', official: 'library/' }

/** A list of the images for all kinds of machines comes first: its digest is the same for everybody. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')

/** Returns the base images that a Dockerfile names. */
export function basesOf(dockerfile: string): Images {
  return Object.fromEntries(
    [...dockerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)].map(([, name = '', image = '']) => [name, image]),
  )
}

/** Returns an image with the digest that its registry has for it now: `node:26-slim@sha256:…`. */
export async function pinned(image: string): Promise<string> {
  const url = manifestUrl(image)
  const first = await askRegistry(url)
  const answer = first.status === 401 ? await askRegistry(url, await tokenFor(first)) : first
  const digest = answer.headers.get('docker-content-digest')
  if (!answer.ok || digest === null)
    throw new Error(`The registry ${url.host} has no digest of ${image}: it answered ${answer.status}`)
  return `${image}@${digest}`
}

/** Returns the arguments of a build from images with digests; fails when one of the base images has none. */
export function buildArgs(bases: Images, pins: Images): string {
  return Object.entries(bases)
    .map(([name, image]) => {
      const pin = pins[name]
      if (!pin?.startsWith(`${image}@sha256:`))
        throw new Error(`There is no digest of ${image}: run \`npm run digests\``)
      return `--build-arg ${name}=${pin}`
    })
    .join(' ')
}

/** A release, as the labels of its images name it. */
export interface Release {
  readonly version: string
  /** The commit. */
  readonly revision: string
  /** The time of the commit, so that two builds of it are equal; ISO 8601. */
  readonly created: string
}

/** Returns the arguments of a build that name a release. */
export function releaseArgs({ version, revision, created }: Release): string {
  return `--build-arg VERSION=${version} --build-arg REVISION=${revision} --build-arg CREATED=${created}`
}

function manifestUrl(image: string): URL {
  const [, host, path = '', tag = 'latest'] = /^(?:([^/]*[.:][^/]*)\/)?([^:]+)(?::(.+))?$/.exec(image) ?? []
  if (host === undefined)
    return new URL(`https://${docker.host}/v2/${path.includes('/') ? '' : docker.official}${path}/manifests/${tag}`)
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? 'http' : 'https'
  return new URL(`${scheme}://${host}/v2/${path}/manifests/${tag}`)
}

async function askRegistry(url: URL, token?: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return askUrl(url, { method: 'HEAD', headers: { accept: manifestTypes, ...authorization } }).catch(() => {
    throw new Error(`The registry ${url.host} cannot be reached`)
  })
}

/** Public images need a token too, which the registry says where to get. */
async function tokenFor({ headers }: Response): Promise<string> {
  const challenge = headers.get('www-authenticate') ?? ''
  const { realm = '', ...query } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  if (!URL.canParse(realm)) throw new Error('The registry asks for a sign-in of an unknown kind')
  const answer = await askUrl(new URL(`?${new URLSearchParams(query).toString()}`, realm)).catch(() => undefined)
  const { token } = ((await answer?.json().catch(() => ({}))) ?? {}) as { token?: string }
  if (token === undefined) throw new Error(`${new URL(realm).host} gave no token`)
  return token
}

function askUrl(url: URL, request: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...request, signal: AbortSignal.timeout(answersWithinMs) })
}
