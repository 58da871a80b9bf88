import { createContext } from 'react'

/** Makes a record that a reference lacks, and tells what it is and how it is called. */
export type CreateHere = (
  entityType: string,
  title: string,
  onCreated: (created: { readonly value: string; readonly label: string }) => void,
) => void

/** How references make what they lack; null where nothing can be made. */
export const CreatingHere = createContext<CreateHere | null>(null)
