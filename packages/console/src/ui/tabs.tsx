// Tabs that are links. On a narrow screen they scroll, and the current one scrolls into view.
import { useEffect, useRef, type ReactNode } from "react"

interface TabsProps {
  readonly label: string
  /** Changes with the current tab. */
  readonly current: string
  readonly children: ReactNode
}

export const Tabs = ({ label, current, children }: TabsProps) => {
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    // Someone may have scrolled since.
    if (shown.current === current) return
    shown.current = current
    nav.current
      ?.querySelector('[aria-current="page"], [aria-current="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" })
  })
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {children}
    </nav>
  )
}
