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
  useTitle(title, 0)
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

/** The title of the screen, and of what is open in it. */
const titles: [screen?: string | undefined, opened?: string | undefined] = []

/** What is open in a screen names the tab, and the screen does again once that closes. */
export const useTitle = (title: string, level: 0 | 1 = 1): void => {
  useEffect(() => {
    titles[level] = title
    const show = (): void => {
      document.title = isolated`${titles[1] ?? titles[0] ?? ""} · Footfall`
    }
    show()
    return () => {
      titles[level] = undefined
      if (level === 1) show()
    }
  }, [level, title])
}
