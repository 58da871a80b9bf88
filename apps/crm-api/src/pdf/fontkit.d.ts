/** The used part of fontkit; it brings no types of its own. */
declare module 'fontkit' {
  export interface Font {
    /** Places the letters of a text; the fonts that cannot throw an error. */
    layout(text: string): unknown
    readonly characterSet: readonly number[]
    readonly unitsPerEm: number
    /** Heights in units; the descender is below zero. */
    readonly ascent: number
    readonly descent: number
    readonly lineGap: number
  }
  export function create(font: Buffer): Font
}
