import type { ComponentType, ReactNode } from 'react'
import type { ListAddress } from './list/list-address.ts'
import type { Creating } from './list/work-list.tsx'
import type { RecordTab } from './record-activity.tsx'
import type { AnyRecord } from './record-calls.ts'
import type { RecordPlace } from './record-place.ts'

/** What is special about the page of a record; what is left out is that of any record. */
export interface PageParts {
  /** Beside the title. */
  readonly note?: ReactNode
  /** Beside the actions on any record. */
  readonly actions?: ReactNode
  readonly top?: ReactNode
  readonly main?: ReactNode
  readonly tabs?: readonly RecordTab[]
  /** Nothing where the page shows its tasks itself. */
  readonly next?: false
  readonly aside?: ReactNode
  readonly isCommented?: boolean
}

/** The page of a record: parts of the usual page, or a page of its own. */
export type RecordPageOf =
  | { partsOf(record: AnyRecord, place: RecordPlace): PageParts }
  | { readonly Page: ComponentType<{ readonly id: string }> }

/** What is special about the list of a kind. */
export interface ListParts {
  readonly creating?: Creating
  /** Stands above the records. */
  readonly Above?: ComponentType<{ readonly address: ListAddress }>
  /** Stands before the name of a record. */
  readonly Lead?: ComponentType<{ readonly record: AnyRecord }>
}

/** What is special about the pages of a kind, each loaded when it is opened. */
export interface KindPages {
  readonly entityType: string
  list?(): Promise<ListParts>
  page?(): Promise<RecordPageOf>
}
