/** The images that browsers show, and the most bytes of one that is loaded to be looked at. */
const shownImages: readonly unknown[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
const bytesMax = 5_000_000

/** Whether a file is an image that a page shows. */
export function isShownImage({ contentType, size }: { readonly contentType: unknown; readonly size: number }): boolean {
  return shownImages.includes(contentType) && size <= bytesMax
}
