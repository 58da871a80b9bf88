// This declares the part of react-dom that the console uses; its type package is not among the dependencies.
declare module 'react-dom/client' {
  import type { ReactNode } from 'react'

  export interface Root {
    render(children: ReactNode): void
  }
  export function createRoot(container: Element): Root
}
