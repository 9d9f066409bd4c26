// The device type of a User-Agent. Crawlers and headless browsers are recognized by the maintained `isbot` list, the
// rest by a few words that browsers have used for years. The last 1,000 results are cached, because a lookup in the
// crawler list takes microseconds.
import { isbot } from "isbot"

// spec 2.2, `deviceType`
export type DeviceType = "desktop" | "mobile" | "tablet" | "bot" | "unknown"

const rememberedMax = 1_000
const userAgentLengthMax = 512
const remembered = new Map<string, DeviceType>()

export const deviceType = (userAgent: string | undefined): DeviceType => {
  const key = (userAgent ?? "").slice(0, userAgentLengthMax)
  const known = remembered.get(key)
  if (known !== undefined) return known
  const device = classify(key)
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(key, device)
  return device
}

/** Bots that the list doesn't name, or not in the form of a browser. */
const otherBots = /headless|phantomjs|puppeteer|playwright|GTmetrix|Amzn-User\//i

const classify = (userAgent: string): DeviceType => {
  // The list counts curl as a bot, but spec 12.1 sends a batch with it.
  if (userAgent === "" || userAgent.startsWith("curl/")) return "unknown"
  if (isbot(userAgent) || otherBots.test(userAgent)) return "bot"
  if (/iPad|Tablet|PlayBook|Silk|Kindle/i.test(userAgent)) return "tablet"
  if (/Android/i.test(userAgent)) return isPhone(userAgent) ? "mobile" : "tablet"
  if (/iPhone|iPod|Mobile|Windows Phone|BlackBerry|Opera Mini/i.test(userAgent)) return "mobile"
  if (/Windows|Macintosh|Linux|X11|CrOS/i.test(userAgent)) return "desktop"
  return "unknown"
}

/** Browsers name phones `Mobile`. The agent of Android's own client has no such word, only the model. */
const isPhone = (userAgent: string): boolean =>
  userAgent.startsWith("Dalvik/")
    ? !/\bSM-[TPX]\d|\bTab\b|\bPad\b|\bNexus (?:7|9|10)\b/i.test(userAgent)
    : /Mobile/i.test(userAgent)

/** Words of crawlers, previews and monitors, and the address that crawlers name. */
const crawlerWords =
  /bot|crawl|spider|slurp|archiv|scan|monitor|validat|preview|externalhit|google|feed|headless|phantomjs|puppeteer|playwright|https?:/i

/**
 * Whether an agent that counts as a `bot` is the HTTP library of an app or a backend, such as `okhttp/4.9.0`: it has
 * neither the form of a browser nor a crawler's words.
 */
export const isHttpLibrary = (userAgent: string): boolean => {
  const shown = userAgent.slice(0, userAgentLengthMax)
  return !/^Mozilla\//i.test(shown) && !crawlerWords.test(shown)
}
