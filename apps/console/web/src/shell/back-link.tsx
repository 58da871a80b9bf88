import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './back-link.module.css'
import { Icon } from './icons.tsx'

function BackAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classes.back}>
      <Icon name="left" size={16} />
      {children}
    </a>
  )
}

/** A link from a page back to the list that it belongs to. */
export const BackLink = createLink(BackAnchor)
