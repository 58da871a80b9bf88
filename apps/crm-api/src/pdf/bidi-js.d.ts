/** The used part of bidi-js; its own types describe another kind of module than the one that Node loads. */
declare module 'bidi-js' {
  export interface EmbeddingLevels {
    readonly levels: Uint8Array
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  }
  interface Bidi {
    getEmbeddingLevels(text: string): EmbeddingLevels
    getMirroredCharactersMap(text: string, levels: Uint8Array): ReadonlyMap<number, string>
  }
  export default function bidiFactory(): Bidi
}
