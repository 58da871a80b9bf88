import { createContext } from 'react'

/** Makes a missing record for a reference, and reports its id and its name. */
export type CreateHere = (
  entityType: string,
  title: string,
  onCreated: (created: { readonly value: string; readonly label: string }) => void,
) => void

/** The function with which references make missing records; null where none can be made. */
export const CreatingHere = createContext<CreateHere | null>(null)
