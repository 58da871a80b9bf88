import { Anchor } from '@mantine/core'
import { linksIn } from '../base/links-in.ts'

/** A text that a person wrote, with its addresses as links; whoever opens one is not told where it stood. */
export function LinkedText({ text }: { readonly text: string }) {
  return linksIn(text).map(({ text: part, href }, at) =>
    href === undefined ? (
      part
    ) : (
      <Anchor key={at} href={href} target="_blank" rel="noreferrer noopener">
        {part}
      </Anchor>
    ),
  )
}
