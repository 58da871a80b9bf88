import { RowNote } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
import { t } from './texts.ts'

interface Used {
  readonly lastUsedAt: string | null
  readonly lastUsedAddress: string | null
}

/** When a key or token was last used, and from which address. */
export function LastUse({ of: { lastUsedAt, lastUsedAddress } }: { readonly of: Used }) {
  if (lastUsedAt === null) return t('Never')
  return (
    <>
      <Age at={lastUsedAt} />
      {lastUsedAddress !== null && <RowNote>{lastUsedAddress}</RowNote>}
    </>
  )
}
