import { useEffect, useRef } from 'react'
import { keySequence, type Command } from './commands.ts'

/** The elements that handle keys themselves. */
const takesKeys = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]'

/** Runs commands by their keys, pressed one after the other, wherever no text is being typed. */
export function useCommandKeys(commands: readonly Command[], run: (command: Command) => void): void {
  const latest = useRef({ commands, run })
  useEffect(() => {
    latest.current = { commands, run }
  })
  useEffect(() => {
    const press = keySequence()
    const listen = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.closest(takesKeys) !== null
      if (isWriting || event.defaultPrevented || event.altKey) return
      const isCtrl = event.ctrlKey || event.metaKey
      if (isCtrl && event.shiftKey) return
      const { commands: known, run: perform } = latest.current
      const command = press(known, isCtrl ? `Ctrl ${event.key.toUpperCase()}` : event.key, event.timeStamp)
      if (command === undefined) return
      event.preventDefault()
      perform(command)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
