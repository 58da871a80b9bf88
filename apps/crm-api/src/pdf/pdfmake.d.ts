/** The used part of pdfmake; it brings no types of its own. */
declare module 'pdfmake' {
  interface Pdfmake {
    /** The virtual files, which are read before real files, by path. */
    readonly virtualfs: { writeFileSync(path: string, content: Buffer): void }
    setFonts(
      fonts: Readonly<Record<string, Readonly<Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>>>>,
    ): void
    setUrlAccessPolicy(mayRead: (url: string) => boolean): void
    setLocalAccessPolicy(mayRead: (path: string) => boolean): void
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  const pdfmake: Pdfmake
  export default pdfmake
}

declare module 'pdfmake/js/Line.js' {
  /** A word on a line; lengths in points. */
  export interface Inline {
    x: number
    text: string
    readonly width: number
    readonly trailingCut: number
    readonly level?: number
    readonly mirror?: string
  }
  export interface Line {
    readonly inlines: readonly Inline[]
    readonly leadingCut: number
    addInline(this: Line, inline: Inline): void
  }
  const module: { readonly default: { readonly prototype: Line } }
  export default module
}

declare module 'pdfmake/js/PDFDocument.js' {
  export interface Document {
    text(this: Document, text: string, x?: number, y?: number, options?: object): Document
    markContent(tag: string, options: { readonly actual: string }): Document
    endMarkedContent(): Document
    addContent(operators: string): Document
    currentLineHeight(): number
    /** The fonts that the page has used so far, by the name under which its operators know them. */
    readonly page: { readonly fonts: Readonly<Record<string, unknown>> }
  }
  const module: { readonly default: { readonly prototype: Document } }
  export default module
}
