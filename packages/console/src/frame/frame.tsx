// The frame around every screen: the rail, the bar with the time window and the site, and global shortcuts.
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useNavigate } from "@tanstack/react-router"
import { Suspense, useRef, useState } from "react"
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { isPlain, useKeys } from "../ui/keys.ts"
import { Notices } from "../ui/notices.tsx"
import { Waiting } from "../ui/read.tsx"
import { ConnectionLine } from "./connection-line.tsx"
import { Help } from "./help.tsx"
import { Mark } from "./mark.tsx"
import { Palette } from "./palette.tsx"
import { usePlaces } from "./places.tsx"
import { pixelsQuery, timeframes, useChangeScope, useScope } from "./scope.ts"
import { UserMenu } from "./user-menu.tsx"
import "./frame.css"

/** Time to press the second key of `g p`. */
const sequenceMs = 1_200

export const Frame = () => {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null)
  const [isRailOpen, setRailOpen] = useState(false)
  const navigate = useNavigate()
  const places = usePlaces()
  const goAt = useRef(0)
  useKeys((event) => {
    if ((event.metaKey || event.ctrlKey) && event.key === "k") {
      event.preventDefault()
      setOpened("palette")
      return
    }
    if (!isPlain(event)) return
    const place = places.find(({ key }) => key === event.key)
    if (place !== undefined && Date.now() - goAt.current < sequenceMs) {
      event.preventDefault()
      void navigate({ to: place.to })
    } else if (event.key === "?") setOpened("help")
    else if (event.key === "/") {
      event.preventDefault()
      const search = document.querySelector<HTMLElement>("input[type=search]")
      if (search === null) setOpened("palette")
      else search.focus()
    }
    goAt.current = event.key === "g" ? Date.now() : 0
  })
  return (
    <div className="frame" data-rail={isRailOpen}>
      <a className="skip" href="#content" onClick={skipToContent}>
        Skip to the content
      </a>
      <nav className="rail" aria-label="Console">
        <Mark />
        <ul onClick={() => setRailOpen(false)}>
          {places.map(({ to, name, icon }) => (
            <li key={to}>
              <Link to={to} title={name} className="place">
                {icon}
                <span>{name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <UserMenu />
      </nav>
      <header className="bar">
        <Button
          kind="plain"
          className="rail-button"
          aria-expanded={isRailOpen}
          onClick={() => setRailOpen(!isRailOpen)}
        >
          ☰ <span className="hidden">Menu</span>
        </Button>
        <button type="button" className="search-button" onClick={() => setOpened("palette")}>
          <span>Search</span> <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
        </button>
        <ScopeChoice />
      </header>
      <main id="content" tabIndex={-1}>
        <ConnectionLine />
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </main>
      <Notices />
      {opened === "palette" && <Palette onClose={() => setOpened(null)} />}
      {opened === "help" && <Help onClose={() => setOpened(null)} />}
    </div>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Focuses the content by script. A link to `#content` would resolve against the document's base URL. */
const skipToContent = (event: { preventDefault(): void }): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>("#content")?.focus()
}

const ScopeChoice = () => {
  const { timeframe, site } = useScope()
  const change = useChangeScope()
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const sites = pixels.map(({ domain }) => ({ value: domain, text: domain }))
  const unknown = site !== undefined && !sites.some(({ value }) => value === site)
  return (
    <div className="scope">
      <ChoiceField
        label="Window"
        isCompact
        choices={timeframes}
        value={timeframe}
        onValue={(window) => void change({ window })}
      />
      <ChoiceField
        label="Site"
        isCompact
        choices={[
          { value: "", text: "All sites" },
          ...sites,
          ...(unknown ? [{ value: site, text: site }] : []),
        ]}
        value={site ?? ""}
        onValue={(domain) => void change({ site: domain === "" ? undefined : domain })}
      />
    </div>
  )
}
