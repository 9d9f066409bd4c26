// Global keyboard shortcuts. They're off while the user types or a dialog is open.
import { useEffect, useEffectEvent } from "react"

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable]") !== null

export const useKeys = (onKey: (event: KeyboardEvent) => void): void => {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || (isTyping(event.target) && isPlain(event))) return
    if (document.querySelector("dialog[open]") !== null) return
    onKey(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => handle(event)
    addEventListener("keydown", listener)
    return () => removeEventListener("keydown", listener)
  }, [])
}

/** Without Control, Alt or Command, which belong to the browser. */
export const isPlain = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey
