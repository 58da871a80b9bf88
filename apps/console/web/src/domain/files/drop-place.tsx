import { useState, type DragEvent, type ReactNode } from 'react'
import classes from './files-panel.module.css'

/** Takes files that are dropped anywhere in it. */
export function DropPlace({
  onDrop,
  children,
}: {
  onDrop(files: readonly File[]): void
  readonly children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  // A text that is dragged into a field is no file.
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const drop = (event: DragEvent) => {
    setOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    onDrop([...event.dataTransfer.files])
  }
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      className={classes.drop}
      data-over={isOver}
      data-testid="drop-files"
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
