import { Button } from '@mantine/core'
import { t } from '../base/texts.ts'
import { viewAs, viewedRole } from '../base/view-as.ts'
import { Icon } from '../shell/icons.tsx'
import classes from './frame.module.css'

/** Says that the pages are shown with the rights of a role, and leads back. */
export function ViewAsBanner() {
  const role = viewedRole()
  if (role === null) return null
  return (
    <div className={classes.viewAs} role="status">
      <Icon name="eye" size={16} />
      <span>{t('You see what the role {role} allows, with your own records.', { role: role.name })}</span>
      <Button variant="default" size="compact-sm" onClick={() => viewAs(null)}>
        {t('Stop viewing as this role')}
      </Button>
    </div>
  )
}
