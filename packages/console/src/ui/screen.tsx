// A screen: its bar with title, actions and scope, its views and filters, its content, and a side panel for one record.
import { Link, useSearch } from "@tanstack/react-router"
import { createContext, useContext, useEffect, type ReactNode } from "react"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"
import { isolated } from "./isolated.ts"
import { isPlain, useKeys } from "./keys.ts"

/** What the frame shows at the end of each screen's bar: the period, the site, and help. */
export const BarEnd = createContext<ReactNode>(null)

interface ScreenProps {
  readonly title: string
  /** The screen this one belongs to. */
  readonly parent?: { readonly to: string; readonly name: string }
  readonly actions?: ReactNode
  /** Tabs between views of the content. */
  readonly views?: ReactNode
  /** Search and filters of the content. */
  readonly tools?: ReactNode
  readonly children: ReactNode
  /** A record that is open next to the content. */
  readonly panel?: ReactNode
  /** The content fills the height and scrolls inside. */
  readonly isFilled?: boolean
  /** The content begins with a larger title of its own. */
  readonly isTitleSmall?: boolean
}

export const Screen = ({
  title,
  parent,
  actions,
  views,
  tools,
  children,
  panel,
  isFilled = false,
  isTitleSmall = false,
}: ScreenProps) => {
  useTitle(title, 0)
  const end = useContext(BarEnd)
  const { wide = false } = useSearch({ strict: false })
  const hasPanel = panel !== undefined && panel !== null
  return (
    <div
      className={`screen ${isFilled ? "filled" : ""}`}
      data-panel={hasPanel}
      data-wide={hasPanel && wide}
    >
      <header className="bar">
        {parent !== undefined && (
          <Link className="crumb" to={parent.to} search={{}}>
            {parent.name}
          </Link>
        )}
        <h1
          className={
            parent !== undefined || isTitleSmall || (hasPanel && wide)
              ? "bar-title cut"
              : "title cut"
          }
          tabIndex={-1}
        >
          {title}
        </h1>
        {actions !== undefined && <div className="bar-actions">{actions}</div>}
        {end}
      </header>
      <section className="screen-main" aria-label={title}>
        {views}
        {tools !== undefined && <div className="tools">{tools}</div>}
        {children}
      </section>
      {panel}
    </div>
  )
}

interface PanelProps {
  readonly label: string
  /** It can also be a page of its own. */
  readonly canOpen?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Escape closes it. On narrow screens it replaces the content. */
export const Panel = ({ label, canOpen = false, onClose, children }: PanelProps) => {
  const { wide = false } = useSearch({ strict: false })
  useKeys((event) => {
    if (event.key === "Escape" && isPlain(event)) onClose()
  })
  return (
    <section className="panel" aria-label={label}>
      {canOpen && (
        <Link
          className="panel-open button plain small"
          to="."
          search={(old) => ({ ...old, wide: wide ? undefined : true })}
        >
          {wide ? "Show the list" : "Open the page"}
        </Link>
      )}
      <div className="panel-close">
        <Button kind="plain" className="icon" onClick={onClose} aria-label={`Close ${label}`}>
          <Icon name="x" />
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
