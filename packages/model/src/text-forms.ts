import * as z from 'zod'

/**
 * The meaning of an input text whose schema says only that it is text.
 * `ids`, `words`: one or several by commas, where `words` lists the known ones; `names`: several by commas;
 * `decimal`: a number as text; `entityType`, `entityTypes`: the name of one kind of record, or several, in capitals.
 */
export type TextForm =
  | { readonly form: 'ids' | 'names' | 'decimal' | 'entityType' | 'entityTypes' }
  | { readonly form: 'words'; readonly values: readonly string[] }

/** The forms of texts, for programs that write inputs in other formats than the API. */
export const textForms = z.registry<TextForm>()
