/** A piece of a page, in the words of pdfmake. */
export type Content = Readonly<Record<string, unknown>>

/** A whole document, in the words of pdfmake. */
export interface Definition {
  readonly info: { readonly title: string }
  readonly pageSize: 'A4'
  /** Left, top, right, bottom, in points. */
  readonly pageMargins: readonly [number, number, number, number]
  readonly defaultStyle: Content
  readonly watermark?: Content
  readonly header: Content
  footer(page: number, pages: number): Content
  readonly content: readonly Content[]
}
