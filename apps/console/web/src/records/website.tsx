import { Anchor } from '@mantine/core'

/** A link to a website, without its scheme. People type addresses with and without a scheme; only the two of the web become a link. */
export function Website({ address }: { readonly address: string }) {
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`
  return URL.canParse(url) ? (
    <Anchor href={url} target="_blank" rel="noreferrer noopener">
      {address.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
    </Anchor>
  ) : (
    address
  )
}
