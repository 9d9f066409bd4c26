// The frame around every screen: the rail, on phones the tab bar, the choice of period and site, and global shortcuts.
import { onlineManager, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, Outlet, useMatches, useNavigate } from "@tanstack/react-router"
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { Icon } from "../ui/icon.tsx"
import { isPlain, useKeys } from "../ui/keys.ts"
import { Notices } from "../ui/notices.tsx"
import { Waiting } from "../ui/read.tsx"
import { BarEnd } from "../ui/screen.tsx"
import { Mark } from "./mark.tsx"
import { Palette } from "./palette.tsx"
import { usePlaces } from "./places.tsx"
import { PeriodChoice } from "./period-choice.tsx"
import { pixelsQuery, useChangeScope, useScope } from "./scope.tsx"
import { UserMenu } from "./user-menu.tsx"
import { session } from "../session/session.ts"
import { connection } from "./connection.ts"
import { Dialog } from "../ui/dialog.tsx"
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
    if (event.key === "Escape" && isRailOpen) {
      // What is open in the content stays.
      event.preventDefault()
      setRailOpen(false)
      return
    }
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
  const groups = Map.groupBy(places, ({ group }) => group)
  return (
    <div className="frame" data-rail={isRailOpen}>
      <a className="skip" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <nav className="rail" aria-label="Console">
        <Mark />
        <button type="button" className="find" title="Search" onClick={() => setOpened("palette")}>
          <Icon name="search" />
          <span>Search</span> <kbd>{isApple ? "⌘ K" : "Ctrl K"}</kbd>
        </button>
        {[...groups.values()].map((group) => (
          <ul key={group[0]?.to} onClick={() => setRailOpen(false)}>
            {group.map(({ to, name, icon }) => (
              <li key={to}>
                <Link to={to} className="place">
                  <Icon name={icon} />
                  <span>{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        ))}
        <UserMenu />
      </nav>
      {isRailOpen && <div className="scrim" onClick={() => setRailOpen(false)} />}
      <main id="content" tabIndex={-1}>
        <ConnectionLine />
        <BarEnd value={<End onHelp={() => setOpened("help")} />}>
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </BarEnd>
      </main>
      <nav className="tabbar" aria-label="Main">
        {places
          .filter(({ to }) => onTabBar.has(to))
          .map(({ to, name, icon }) => (
            <Link key={to} to={to} onClick={() => setRailOpen(false)}>
              <Icon name={icon} size={20} />
              <span>{name}</span>
            </Link>
          ))}
        <button type="button" aria-expanded={isRailOpen} onClick={() => setRailOpen(!isRailOpen)}>
          <Icon name="menu" size={20} />
          <span>More</span>
        </button>
      </nav>
      <Notices />
      {opened === "palette" && <Palette onClose={() => setOpened(null)} />}
      {opened === "help" && <Help onClose={() => setOpened(null)} />}
    </div>
  )
}

/** On phones. The others are behind More. */
const onTabBar: ReadonlySet<string> = new Set(["/overview", "/people", "/companies", "/webhooks"])

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Focuses the content by script. A link to `#content` would resolve against the document's base URL. */
const skipToContent = (event: { preventDefault(): void }): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>("#content")?.focus()
}

/** The end of each screen's bar: only the choices that the screen depends on, and help. */
const End = ({ onHelp }: { readonly onHelp: () => void }) => {
  const matches = useMatches()
  return (
    <div className="scope">
      {matches.some(({ staticData }) => staticData.hasWindow) && (
        <span className="scope-choice">
          <Icon name="calendar" />
          <PeriodChoice />
        </span>
      )}
      {matches.some(({ staticData }) => staticData.hasSite) && (
        <span className="scope-choice">
          <Icon name="sites" />
          <SiteChoice />
        </span>
      )}
      <Button kind="plain" className="icon" aria-label="Help" title="Help" onClick={onHelp}>
        <Icon name="help" />
      </Button>
    </div>
  )
}

const SiteChoice = () => {
  const { site } = useScope()
  const change = useChangeScope()
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const sites = pixels.map(({ domain }) => ({ value: domain, text: domain }))
  const unknown = site !== undefined && !sites.some(({ value }) => value === site)
  return (
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
  )
}

// The line at the top while the server is unreachable or rate limits this client. When the server is back, failed
// queries run again.

/** How often to check whether the server is back. */
const pollMs = 3_000

const ConnectionLine = () => {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const state = useSyncExternalStore(connection.subscribe, connection.state)
  useReconnect(state.is === "lost")
  if (!isOnline) {
    return <Line>You are offline. You can keep reading. Changes wait until you are back.</Line>
  }
  if (state.is === "lost") {
    return (
      <Line>Can't reach the server. You can keep reading. Trying again every few seconds.</Line>
    )
  }
  if (state.is === "limited") {
    return <Line>Too many requests. Continuing in {state.seconds} seconds.</Line>
  }
  return null
}

const Line = ({ children }: { readonly children: ReactNode }) => (
  <p className="line" role="status">
    {children}
  </p>
)

/** Polls the server until it's back, then retries failed queries. */
const useReconnect = (isLost: boolean): void => {
  const client = useQueryClient()
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => {
      // The session reports the answer to `connection`.
      void session.isServerReachable()
    }, pollMs)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries()
    }
  }, [client, isLost])
}

// Keyboard shortcuts.
const keys: ReadonlyArray<readonly [keys: ReadonlyArray<string>, what: string]> = [
  [["⌘ K"], "Search and go anywhere (Ctrl K on other keyboards)"],
  [["/"], "Search this list"],
  [["j", "k"], "Next row, previous row"],
  [["Enter"], "Open the row"],
  [["Esc"], "Close what is open"],
  [["?"], "Show these keys"],
]

const Help = ({ onClose }: { readonly onClose: () => void }) => {
  const places = usePlaces().map(({ key, name }) => [["g", key], name] as const)
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="facts">
        {[...keys, ...places].map(([each, what]) => (
          <div key={what} className="contents">
            <dt>
              {each.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
