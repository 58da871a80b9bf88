/** The part of pdfmake that is used here; it brings no types of its own. */
declare module 'pdfmake' {
  interface Pdfmake {
    setFonts(fonts: Readonly<Record<string, Readonly<Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>>>>): void
    setUrlAccessPolicy(mayRead: (url: string) => boolean): void
    setLocalAccessPolicy(mayRead: (path: string) => boolean): void
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  const pdfmake: Pdfmake
  export default pdfmake
}
