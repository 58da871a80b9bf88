import { transferredEntities } from '@crm/contract'
import { Button, Menu } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'
import { Icon } from '../../shell/icons.tsx'
import { usePin } from '../../shell/pins.ts'
import { useExport } from '../use-export.tsx'
import classes from './work-list.module.css'

interface ListMenuProps {
  readonly entityType: string
  /** The parameters that choose the records of the list. */
  readonly query: Readonly<Record<string, string>>
  /** The id of the saved view that is shown. */
  readonly viewId: string | undefined
}

/** The menu "More" of a list: files in and out, as far as the person may, and its place in the navigation. */
export function ListMenu({ entityType, query, viewId }: ListMenuProps): ReactNode {
  const { pathname } = useLocation()
  const pin = usePin(viewId === undefined ? pathname : `${pathname}?view=${viewId}`)
  const { may } = useSession()
  const importable = useImportable(entityType)
  const exporting = useExport(entityType)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            className={classes.headMenu}
            loading={exporting.isPending}
            rightSection={<Icon name="down" size={14} />}
          >
            <span className={classes.tool}>{t('More')}</span>
            <span className={classes.headIcon}>
              <Icon name="dots" size={16} />
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {importable && (
            <Menu.Item renderRoot={(props: object) => <Link to="/settings/import" search={{}} {...props} />}>
              {t('Import')}
            </Menu.Item>
          )}
          {may('EXPORT_DATA') && <Menu.Item onClick={() => exporting.start({ query })}>{t('Export')}</Menu.Item>}
          <Menu.Item onClick={pin.toggle}>{t(pin.isPinned ? 'Unpin from sidebar' : 'Pin to sidebar')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {exporting.dialog}
    </>
  )
}

/** Whether the person may bring records of a kind in files. */
function useImportable(entityType: string): boolean {
  const { may } = useSession()
  return transferredEntities.some((one) => one === entityType) && may('IMPORT_DATA') && may(`CREATE_${entityType}`)
}

/** A button that leads to an import of a kind, for those who may. */
export function ImportButton({ entityType }: { readonly entityType: string }): ReactNode {
  const importable = useImportable(entityType)
  return (
    importable && (
      <Button variant="default" renderRoot={(props: object) => <Link to="/settings/import" search={{}} {...props} />}>
        {t('Import')}
      </Button>
    )
  )
}
