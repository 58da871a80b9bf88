import { Group, Modal, type GroupProps, type ModalProps } from '@mantine/core'
import { useRef } from 'react'
import classes from './dialog.module.css'
import { unlessTyped } from './discarding.tsx'

/** A dialog; Esc, a click outside and its cross ask before they lose what somebody typed in it. */
export function Dialog({ children, onClose, ...modal }: ModalProps) {
  const content = useRef<HTMLDivElement>(null)
  return (
    <Modal {...modal} onClose={() => unlessTyped(content.current, onClose)}>
      <div ref={content} className={classes.content}>
        {children}
      </div>
    </Modal>
  )
}

/** The buttons at the end of a dialog. */
export function DialogButtons({ className = '', ...group }: GroupProps) {
  return <Group justify="flex-end" gap="sm" {...group} className={`${classes.buttons} ${className}`} />
}
