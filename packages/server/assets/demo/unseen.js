/**
 * Why the server sees nothing of this browser, in plain words and with what to do about it. The first reason that
 * holds is the one that counts: each stops the pixel before the next one could.
 */

/** The pixel sends its first batch after 5 seconds, and a pass of the server takes it within seconds. */
const DELIVERY_MS = 15_000
/** After this time a script that is not there was blocked. */
const LOADING_MS = 4000

/** `action`: the label of a link (`href`) or of a button (`command`: what the pixel is told). */
const reasons = {
  driven: {
    title: "A program drives this browser",
    text: "The pixel takes automated browsers for no visitors and sends nothing. Open this page in a browser that you use yourself.",
  },
  optedOut: {
    title: "This browser opted out",
    text: "It chose to be recognized by no website of this server, so it gets no pixel.",
    action: { label: "Opt in again", href: "/opt-out" },
  },
  optedOutHere: {
    title: "This browser opted out of this website",
    text: "The website called footfall.optOut(), so the pixel keeps and sends nothing here.",
    action: { label: "Opt in again", command: "optIn" },
  },
  signal: {
    title: "Global Privacy Control is on",
    text: "Your browser asks not to be recognized. The server counts its page views without an id, so there is nothing to show. Turn the signal off for this website, or use another browser.",
  },
  consent: {
    title: "The pixel waits for your consent",
    text: "In your time zone nothing is kept or sent before you agree.",
    action: { label: "Agree on this website", command: "consent", value: "granted" },
  },
  blocked: {
    title: "Something blocks the pixel",
    text: "The browser did not load its script. A content blocker or tracking protection does that: allow this website there, then reload the page.",
  },
  off: {
    title: "The pixel is off",
    text: "The server sent a script that does nothing: the pixel is paused. Turn it on again in the console, under Pixels.",
  },
  bot: {
    title: "This browser calls itself a bot",
    text: "Its user agent names a crawler or a headless browser, so the server drops what it sends. Open this page in an ordinary browser.",
  },
  undelivered: {
    title: "Something blocks what the pixel sends",
    text: "The script runs, but nothing of it has reached the server. A content blocker does that: allow this website there, then reload the page.",
  },
}

/** Of the cookie, else of local storage, which a browser may refuse to open. */
const keptChoice = () => {
  const choiceIn = (text) => /footfall_choice=(\w+)/.exec(text)?.[1]
  try {
    return choiceIn(document.cookie) ?? choiceIn(localStorage.getItem("footfall_choice") ?? "")
  } catch {
    return undefined
  }
}

/** Whether the server answered the request of the script; a blocker leaves no status. */
const isScriptSent = () =>
  performance
    .getEntriesByType("resource")
    .some(({ name, responseStatus }) => /\/p\/[^/]+\.js/.test(name) && responseStatus === 200)

/**
 * The reason, or undefined while it is too early to say. `browser`: what the server sees of a request of this browser.
 * `seen`: events the server has of it.
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
