/**
 * Why the server has no events of this browser, in plain words, and what to do about it. The first reason that applies
 * counts, because it stops the pixel before the next one could.
 */

/** The pixel sends its first batch after 5 seconds, and the server processes it within seconds. */
const DELIVERY_MS = 15_000
/** If the script has not loaded after this time, something blocked it. */
const LOADING_MS = 4000

/** `action`: a link (`href`), or a button that sends the pixel a command. */
const reasons = {
  driven: {
    title: "A program controls this browser",
    text: "The pixel does not count automated browsers as visitors, so it sends nothing. Open this page in a browser that you use yourself.",
  },
  optedOut: {
    title: "This browser opted out",
    text: "It chose that no website of this server may recognize it, so the server sends it no pixel.",
    action: { label: "Opt in again", href: "/opt-out" },
  },
  optedOutHere: {
    title: "This browser opted out of this website",
    text: "The website called footfall.optOut(), so the pixel stores and sends nothing here.",
    action: { label: "Opt in again", command: "optIn" },
  },
  signal: {
    title: "Global Privacy Control is on",
    text: "Your browser asks not to be recognized. The server counts its page views without an id, so there is nothing to show. Turn the signal off for this website, or use another browser.",
  },
  consent: {
    title: "The pixel waits for your consent",
    text: "In your time zone the pixel stores and sends nothing until you agree.",
    action: { label: "Agree on this website", command: "consent", value: "granted" },
  },
  blocked: {
    title: "Something blocks the pixel",
    text: "The browser did not load the script. A content blocker or tracking protection can cause this. Allow this website there, then reload the page.",
  },
  off: {
    title: "The pixel is off",
    text: "The pixel is paused, so the server sent a script that does nothing. Turn the pixel on again in the console, under Pixels.",
  },
  bot: {
    title: "This browser calls itself a bot",
    text: "Its user agent names a crawler or a headless browser, so the server drops its events. Open this page in an ordinary browser.",
  },
  undelivered: {
    title: "Something blocks what the pixel sends",
    text: "The script runs, but none of its events have reached the server. A content blocker can cause this. Allow this website there, then reload the page.",
  },
}

/** The choice in the cookie, or else in local storage, which a browser may refuse to open. */
const keptChoice = () => {
  const choiceIn = (text) => /footfall_choice=(\w+)/.exec(text)?.[1]
  try {
    return choiceIn(document.cookie) ?? choiceIn(localStorage.getItem("footfall_choice") ?? "")
  } catch {
    return undefined
  }
}

/** Whether the server responded to the request for the script. A blocked request has no status. */
const isScriptSent = () =>
  performance
    .getEntriesByType("resource")
    .some(({ name, responseStatus }) => /\/p\/[^/]+\.js/.test(name) && responseStatus === 200)

/**
 * The reason, or undefined while it is too early to say. `browser`: what the server sees in a request of this browser.
 * `seen`: number of events that the server has of it.
 */
export const whyUnseen = ({ browser, id, seen }) => {
  const pixel = window.footfall
  const waitedMs = performance.now()
  if (navigator.webdriver) return reasons.driven
  if (browser.optedOut) return reasons.optedOut
  if (keptChoice() === "out") return reasons.optedOutHere
  if (navigator.globalPrivacyControl) return reasons.signal
  if (!pixel?.getVisitorId) {
    if (waitedMs < LOADING_MS) return undefined
    return isScriptSent() ? reasons.off : reasons.blocked
  }
  if (!id) return waitedMs < LOADING_MS ? undefined : reasons.consent
  if (seen > 0) return undefined
  if (browser.isBot) return reasons.bot
  return waitedMs < DELIVERY_MS ? undefined : reasons.undelivered
}
