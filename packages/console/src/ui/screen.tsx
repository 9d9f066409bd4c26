// A screen with its title, actions and content, and a side panel for one record.
import { useEffect, type ReactNode } from "react"
import { Button } from "./button.tsx"
import { isolated } from "./isolated.ts"
import { isPlain, useKeys } from "./keys.ts"

interface ScreenProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** A record that is open next to the content. */
  readonly panel?: ReactNode
  /** The content fills the height and scrolls inside. */
  readonly isFilled?: boolean
}

export const Screen = ({ title, actions, children, panel, isFilled = false }: ScreenProps) => {
  useTitle(title)
  return (
    <div
      className={`screen ${isFilled ? "filled" : ""}`}
      data-panel={panel !== undefined && panel !== null}
    >
      <section className="screen-main" aria-label={title}>
        <header className="spread">
          <h1 tabIndex={-1}>{title}</h1>
          {actions !== undefined && <div className="row">{actions}</div>}
        </header>
        {children}
      </section>
      {panel}
    </div>
  )
}

interface PanelProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Escape closes it. On narrow screens it replaces the content. */
export const Panel = ({ label, onClose, children }: PanelProps) => {
  useKeys((event) => {
    if (event.key === "Escape" && isPlain(event)) onClose()
  })
  return (
    <section className="panel" aria-label={label}>
      <div className="panel-close">
        <Button kind="plain" onClick={onClose} aria-label={`Close ${label}`}>
          ✕
        </Button>
      </div>
      {children}
    </section>
  )
}

export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = isolated`${title} · Footfall`
  }, [title])
}
