import { ActionIcon, NativeSelect } from '@mantine/core'
import { Icon } from './icons.tsx'
import classes from './pager.module.css'
import { t } from '../base/texts.ts'

interface PagerProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly pageSizes?: readonly number[]
  onPage(page: number): void
  onPageSize?(pageSize: number): void
}

/** Steps through a list by page. */
export function Pager({ page, pageSize, total, pageSizes, onPage, onPageSize }: PagerProps) {
  const pageCount = Math.max(1, Math.ceil(total / pageSize))
  const first = Math.min((page - 1) * pageSize + 1, total)
  const last = Math.min(page * pageSize, total)
  return (
    <nav className={classes.pager} aria-label={t('Pages')}>
      <span className={classes.range}>
        {t('{first, number}–{last, number} of {total, number}', { first, last, total })}
      </span>
      {pageSizes !== undefined && onPageSize !== undefined && (
        <NativeSelect
          aria-label={t('Rows per page')}
          size="xs"
          value={String(pageSize)}
          onChange={(event) => onPageSize(Number(event.currentTarget.value))}
          data={pageSizes.map((size) => ({ value: String(size), label: t('{size} rows', { size }) }))}
        />
      )}
      <div className={classes.steps}>
        <ActionIcon
          variant="default"
          aria-label={t('Previous page')}
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, pageCount))}
        >
          <Icon name="left" />
        </ActionIcon>
        <span aria-current="page">{t('Page {page, number} of {pageCount, number}', { page, pageCount })}</span>
        <ActionIcon
          variant="default"
          aria-label={t('Next page')}
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        >
          <Icon name="right" />
        </ActionIcon>
      </div>
    </nav>
  )
}
