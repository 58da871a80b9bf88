/**
 * The maximum number of pages of a document: several hundred lines that each fill half a page, or a letter as long as a
 * chapter of a book.
 */
export const pagesMax = { commercial: 300, letter: 100 } as const

/** A part of a page, in the format of pdfmake. */
export type Content = Readonly<Record<string, unknown>>

/** A whole document, in the format of pdfmake. */
export interface Definition {
  readonly info: { readonly title: string; readonly author: string }
  /** BCP 47, for screen readers. */
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
