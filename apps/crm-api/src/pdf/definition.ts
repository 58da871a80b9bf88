/** How many pages a document has at most: several hundred lines that each fill half a page, or a letter as long as a book's chapter. */
export const pagesMax = { commercial: 300, letter: 100 } as const

/** A piece of a page, in the words of pdfmake. */
export type Content = Readonly<Record<string, unknown>>

/** A whole document, in the words of pdfmake. */
export interface Definition {
  readonly info: { readonly title: string; readonly author: string }
  /** BCP 47, for those who have it read to them. */
  readonly language: string
  readonly pageSize: 'A4'
  /** Left, top, right, bottom, in points. */
  readonly pageMargins: readonly [number, number, number, number]
  readonly defaultStyle: Content
  readonly watermark?: Content
  header(page: number): Content | null
  footer(page: number, pages: number): Content
  readonly content: readonly Content[]
}
