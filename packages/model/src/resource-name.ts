type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text

/** Returns the name of the resource and the table of a kind from the word of its addresses: `priceLists`. */
export function resourceName<const Stem extends string>(stem: Stem): Camel<Stem> {
  return stem.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Stem>
}
