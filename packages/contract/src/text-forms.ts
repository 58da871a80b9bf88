import { z } from 'zod'

/**
 * What a text of an input stands for where its schema says only that it is text.
 * `ids`, `words`: one or several by commas, where `words` names those that are known; `names`: several by commas;
 * `decimal`: a number written out; `entityType`, `entityTypes`: the name of a kind of record, in capitals, and several of them.
 */
export type TextForm =
  | { readonly form: 'ids' | 'names' | 'decimal' | 'entityType' | 'entityTypes' }
  | { readonly form: 'words'; readonly values: readonly string[] }

/** The forms of texts, for programs that write inputs in other ways than the API reads them. */
export const textForms = z.registry<TextForm>()
