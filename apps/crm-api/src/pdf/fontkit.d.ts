/** The part of fontkit that is used here; it brings no types of its own. */
declare module 'fontkit' {
  export function create(font: Buffer): { readonly characterSet: readonly number[] }
}
