/**
 * The demo page. It moves between its sub-pages with `pushState`, identifies the person who fills in the form, and
 * shows every 1.5 seconds what the server knows about this browser. It inserts everything from the server as text,
 * never as markup.
 */

import { whyUnseen } from "./unseen.js"

const POLL_MS = 1500

const field = (name) => document.querySelector(`[data-field="${name}"]`)
const pages = [...document.querySelectorAll("[data-page]")]

/** Also works before the pixel has loaded, and if something blocks it. */
const footfall = (...command) => (window.footfall = window.footfall || []).push(command)
const visitorId = () => window.footfall?.getVisitorId?.()

// Sub-pages

const showPage = () => {
  const path = location.pathname.replace(/\/$/, "")
  const page = pages.find((candidate) => candidate.dataset.page === path) ?? pages[0]
  for (const candidate of pages) candidate.hidden = candidate !== page
  document.title = page.dataset.title
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === page.dataset.page) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-route]")
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  if (link.pathname !== location.pathname) history.pushState({}, "", link.href)
  showPage()
  scrollTo(0, 0)
  document.querySelector("main").focus({ preventScroll: true })
})
addEventListener("popstate", showPage)

// The form and the buttons

document.querySelector(".identify").addEventListener("submit", (event) => {
  event.preventDefault()
  const form = event.target
  const answer = form.querySelector(".answer")
  if (!form.elements.email.checkValidity()) {
    answer.textContent = "Enter a complete email address, such as jane@harbor-logistics.example."
    form.elements.email.focus()
    return
  }
  const { email, ...traits } = Object.fromEntries(new FormData(form))
  footfall("identify", email, traits)
  answer.textContent = `Sent identify("${email.trim()}"). The panel updates within a few seconds.`
})

document.querySelector('[data-action="reset"]').addEventListener("click", () => {
  footfall("reset")
  footfall("page")
  document.querySelector(".answer").textContent = ""
  void poll()
})

// The panel

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

/** Leaves unchanged content alone, so that selections and open details stay as they are. */
const fill = (name, children) => {
  const target = field(name)
  const next = element(target.tagName)
  next.append(...children)
  if (next.innerHTML !== target.innerHTML) target.replaceChildren(...next.childNodes)
}

const write = (name, value) => {
  const target = field(name)
  if (target.textContent !== String(value)) target.textContent = value
}

const none = (text) => [element("li", text, "none")]
const shorten = (text) => `${text.slice(0, 8)}…${text.slice(-6)}`
const clock = (time) =>
  new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
const total = (sessions, name) => sessions.reduce((sum, session) => sum + session[name], 0)

const duration = (seconds) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`

/** Paths in the order they were last visited. For an anonymous browser, the first and last pages of its sessions. */
const trailOf = (visitor, sessions) => {
  const paths = visitor
    ? visitor.visitedPages.map((url) => new URL(url).pathname).reverse()
    : sessions.toReversed().flatMap((session) => [session.entryPage, session.exitPage])
  return paths.filter((path, index) => path && path !== paths[index - 1])
}

const labelsOf = (visitor, session) => {
  const touch = visitor ?? session ?? {}
  const labels = {
    source: touch.utmSource,
    medium: touch.utmMedium,
    campaign: touch.utmCampaign,
    ...visitor?.customAttribution,
  }
  return Object.entries(labels).filter(([, value]) => value)
}

// Without this, the details at the bottom of the panel would open out of view.
document.querySelector("details").addEventListener("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "start" })
})

const showWho = (visitor, events) => {
  const name = visitor && (visitor.fullName || visitor.email || "Known only by hash")
  field("who").dataset.state = visitor ? "identified" : "anonymous"
  write("avatar", name ? name[0].toUpperCase() : "?")
  write("state", visitor ? "Identified" : events > 0 ? "Not identified" : "Waiting for events")
  write("name", name ?? "Anonymous browser")
}

const showFacts = (id, visitor) => {
  const facts = { Browser: shorten(id) }
  if (visitor) {
    Object.assign(facts, {
      Email: visitor.email ?? "unknown",
      Hash: shorten(visitor.emailHash),
      Company: visitor.companyName ?? visitor.companyDomain ?? "unknown",
      "First seen": new Date(visitor.firstSeenAt).toLocaleString(),
    })
    if (visitor.email) {
      const { commandLine } = document.body.dataset
      facts["Command line"] = `${commandLine} visitors get ${visitor.email}`
    }
  }
  fill(
    "facts",
    Object.entries(facts).map(([name, value]) => {
      const row = element("div")
      row.append(element("dt", name), element("dd", value))
      return row
    }),
  )
}

const showSessions = (sessions) =>
  fill(
    "visits",
    sessions.length === 0
      ? none("None yet.")
      : sessions.map((session) => {
          const row = element("li")
          const [head, detail] = [element("p"), element("p")]
          head.append(
            element("span", `${clock(session.startTime)} · ${duration(session.durationSeconds)}`),
            element("span", session.pageviews === 1 ? "1 page" : `${session.pageviews} pages`),
          )
          detail.append(
            element("span", [...new Set([session.entryPage, session.exitPage])].join(" → ")),
            element("span", session.channel.replaceAll("_", " ")),
          )
          row.append(head, detail)
          return row
        }),
  )

const show = (id, data) => {
  const { visitor, sessions, events, pendingEvents } = data
  const trail = trailOf(visitor, sessions)
  const labels = labelsOf(visitor, sessions[0])

  showWho(visitor, events)
  showFacts(id, visitor)
  showSessions(sessions)
  write("sessions", visitor?.sessions ?? sessions.length)
  for (const name of ["pageviews", "pricingPageViews", "demoPageViews"]) {
    write(name, visitor?.[name] ?? total(sessions, name))
  }
  fill("trail", trail.length > 0 ? trail.map((path) => element("li", path)) : none("No pages yet."))
  fill(
    "labels",
    labels.length === 0
      ? none("None. Arrive from a newsletter to see some.")
      : labels.map(([name, value]) => {
          const label = element("li")
          label.append(element("b", `${name} `), value)
          return label
        }),
  )
  write("raw", JSON.stringify(data, null, 2))
  const received = events === 1 ? "1 event" : `${events} events`
  pulse("live", pendingEvents > 0 ? `${received}, ${pendingEvents} waiting` : received)
}

const pulse = (state, text) => {
  field("pulse").dataset.state = state
  write("pulse", text)
}

/** Shows why the server has no events of this browser. Hides the message without a reason. */
const showWhy = (reason) => {
  field("why").hidden = !reason
  if (!reason) return
  pulse("lost", "no events")
  field("who").dataset.state = "unseen"
  write("state", "Not seen")
  write("name", reason.title)
  const parts = [element("p", reason.text)]
  if (reason.action) {
    const { command, href, label, value } = reason.action
    const control = element(href ? "a" : "button", label)
    if (href) control.setAttribute("href", href)
    else Object.assign(control.dataset, { command, value: value ?? "" })
    parts.push(control)
  }
  fill("why", parts)
}

field("why").addEventListener("click", ({ target }) => {
  const { command, value } = target.dataset
  if (!command) return
  footfall(command, ...(value ? [value] : []))
  void poll()
})

const ask = async (path) => {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return (await answer.json()).data
}

const poll = async () => {
  const id = visitorId()
  try {
    const data = id ? await ask(`/demo/visitor?anonymousId=${id}`) : undefined
    // After a click on "New visitor", a response about the previous one is out of date.
    if (id !== visitorId()) return
    if (data) show(id, data)
    const seen = data ? data.events + data.pendingEvents : 0
    showWhy(seen > 0 ? undefined : whyUnseen({ browser: await ask("/demo/browser"), id, seen }))
  } catch {
    pulse("lost", "server not responding")
  }
}

const pollForever = async () => {
  if (document.visibilityState === "visible") await poll()
  setTimeout(pollForever, POLL_MS)
}

showPage()
void pollForever()
footfall("ready", poll)
