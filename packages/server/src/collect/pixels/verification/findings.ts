// Findings from a site's start page: everything that keeps events from arriving, and what may explain why none did.
// Pure; the page is fetched before.
import { passesLists } from "@footfall/pixel/path-filter"
import type { PixelRow } from "../store.ts"
import {
  connectBlockedBy,
  type Directive,
  type Policy,
  readPolicies,
  readPolicy,
  scriptBlockedBy,
} from "./content-security-policy.ts"
import type { Finding, FindingCode } from "./finding.ts"
import type { PixelTag, SitePage } from "./site-page.ts"

/** A fetched page, and the tag it should contain. */
export interface Seen {
  readonly pixel: Pick<PixelRow, "excludedPaths" | "id" | "includedPaths" | "settings">
  /** The page's URL after redirects. */
  readonly url: URL
  /** The requested URL. */
  readonly requested: URL
  /** From the response. */
  readonly policyHeader: string | undefined
  readonly page: SitePage
  /** The URL of the pixel's plain script. */
  readonly scriptAddress: string
}

export const findingsOf = (seen: Seen): ReadonlyArray<Finding> => {
  const tag = seen.page.pixelTags.find(({ pixelId }) => pixelId === seen.pixel.id)
  return [
    ...addressFindings(seen, tag),
    ...(tag === undefined
      ? [problem("tag_missing", "The tag is not in the page's HTML.")]
      : tagFindings(seen, tag)),
    ...otherPixels(seen),
    ...policyFindings(seen, tag),
    ...consentFindings(seen, tag),
  ]
}

/** The URL that relative URLs in the page resolve against. */
const baseOf = ({ base = "" }: SitePage, { href }: URL): string =>
  URL.parse(base, href)?.href ?? href

const make =
  (severity: Finding["severity"]) =>
  (code: FindingCode, message: string, values: ReadonlyArray<string> = []): Finding => ({
    code,
    severity,
    message,
    values,
  })
export const problem = make("problem")
export const note = make("note")

const addressFindings = ({ requested, pixel, url }: Seen, tag: PixelTag | undefined) => {
  const found: Array<Finding> = []
  if (
    url.host !== requested.host &&
    !url.hostname.endsWith(`.${requested.hostname}`) &&
    url.hostname !== `www.${requested.hostname}`
  )
    found.push(
      problem(
        "page_of_other_host",
        `The site redirects visitors to ${url.host}, which is not the pixel's domain.`,
        [url.host],
      ),
    )
  // Parsed as the script does; packages/pixel, settings.ts.
  const list = (name: string) =>
    // own keys: the two names below
    tag?.attributes[name]?.split(/[\s,]+/).filter((path) => path !== "")
  const isCounted =
    passesLists(url.pathname, pixel.excludedPaths, pixel.includedPaths) &&
    passesLists(url.pathname, list("data-exclude"), nonEmpty(list("data-include")))
  if (!isCounted)
    found.push(note("page_excluded", `The path lists exclude ${url.pathname}.`, [url.pathname]))
  return found
}

const nonEmpty = (list: ReadonlyArray<string> | undefined) => (list?.length ? list : undefined)

const scriptType = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

const tagFindings = ({ page, url }: Seen, { address, attributes, hash }: PixelTag) => {
  const { crossorigin, integrity, type = "" } = attributes
  const found: Array<Finding> = []
  if (!scriptType.test(type.trim()))
    found.push(
      problem(
        "tag_inert",
        `The tag has type="${type}". Browsers do not run it until a script changes the type.`,
        [type],
      ),
    )
  if (integrity !== undefined && hash === undefined)
    found.push(
      problem(
        "tag_integrity_unpinned",
        "The tag has an integrity hash for the plain script. Browsers will block the script the next time it changes.",
      ),
    )
  const origin = URL.parse(address, baseOf(page, url))?.origin
  if (integrity !== undefined && crossorigin === undefined && origin !== url.origin)
    found.push(
      problem(
        "tag_crossorigin_missing",
        `The tag has integrity without crossorigin="anonymous". Browsers block the script.`,
      ),
    )
  if (attributes["data-debug"] !== undefined)
    found.push(note("tag_debug", "The tag has data-debug, which is for development only."))
  return found
}

const otherPixels = ({ page, pixel }: Seen) => {
  const others = [...new Set(page.pixelTags.map(({ pixelId }) => pixelId))].filter(
    (id) => id !== pixel.id,
  )
  return others.length === 0
    ? []
    : [note("other_pixel", `The page has the tag of another pixel: ${others.join(", ")}.`, others)]
}

const policyFindings = (
  { page, policyHeader, scriptAddress, url }: Seen,
  tag: PixelTag | undefined,
) => {
  const policies = [
    ...(policyHeader === undefined ? [] : readPolicies(policyHeader)),
    ...page.policies.map(readPolicy),
  ]
  const script = URL.parse(tag?.address ?? scriptAddress, baseOf(page, url))
  if (script === null) return []
  const { integrity, nonce } = tag?.attributes ?? {}
  const collect = new URL(script.href.replace(/(?:\.[0-9a-f]{16})?\.js(?:[?#].*)?$/, "/e"))
  const first = (blockedBy: (policy: Policy) => Directive | undefined) =>
    policies.map(blockedBy).find((directive) => directive !== undefined)
  const ofScript = first((policy) =>
    scriptBlockedBy(policy, { page: url, url: script, nonce, integrity }),
  )
  const ofConnect = first((policy) => connectBlockedBy(policy, { page: url, url: collect }))
  return [
    ...(ofScript === undefined
      ? []
      : [
          problem(
            "csp_blocks_script",
            `The content security policy blocks the script: ${textOf(ofScript)}`,
            [textOf(ofScript)],
          ),
        ]),
    ...(ofConnect === undefined
      ? []
      : [
          problem(
            "csp_blocks_connect",
            `The content security policy blocks sending events: ${textOf(ofConnect)}`,
            [textOf(ofConnect)],
          ),
        ]),
  ]
}

/** Units: UTF-16 code units. A policy may list hundreds of hosts. */
const directiveLengthMax = 300

const textOf = ({ name, sources }: Directive): string => {
  const text = [name, ...sources].join(" ")
  return text.length > directiveLengthMax ? `${text.slice(0, directiveLengthMax)}…` : text
}

const consentFindings = ({ page, pixel, url }: Seen, tag: PixelTag | undefined) => {
  const modes = new Set([pixel.settings["consent"], tag?.attributes["data-consent"]])
  const managers = new Set(
    page.scripts.flatMap(({ address }) => {
      const host = URL.parse(address, baseOf(page, url))?.hostname
      return (host === undefined ? undefined : consentManagerOf(host)) ?? []
    }),
  )
  const names = [...managers]
  return [
    ...(modes.has("denied")
      ? [problem("consent_denied", "Consent is set to denied, so nothing is sent.")]
      : modes.has("required")
        ? [
            note(
              "consent_required",
              "Consent is required. Nothing is sent until a visitor gives consent.",
            ),
          ]
        : []),
    ...(names.length === 0
      ? []
      : [note("consent_manager", `The page has a consent manager: ${names.join(", ")}.`, names)]),
  ]
}

// Consent managers by the hosts of their scripts. One on the page explains why nothing is sent before a visitor
// chooses. A manager served from the site's own host is not detected.
/** A host and its subdomains. */
const names: ReadonlyArray<readonly [host: string, name: string]> = [
  ["axept.io", "Axeptio"],
  ["cdn-cookieyes.com", "CookieYes"],
  ["consentmanager.net", "consentmanager"],
  ["cookie-script.com", "CookieScript"],
  ["cookiebot.com", "Cookiebot"],
  ["cookiebot.eu", "Cookiebot"],
  ["cookiefirst.com", "CookieFirst"],
  ["cookiehub.eu", "CookieHub"],
  ["cookiehub.net", "CookieHub"],
  ["cookielaw.org", "OneTrust"],
  ["onetrust.com", "OneTrust"],
  ["fundingchoicesmessages.google.com", "Google Privacy & messaging"],
  ["cmp.inmobi.com", "InMobi Choice"],
  ["cmp.quantcast.com", "InMobi Choice"],
  ["iubenda.com", "iubenda"],
  ["ketchcdn.com", "Ketch"],
  ["osano.com", "Osano"],
  ["privacy-center.org", "Didomi"],
  ["privacy-mgmt.com", "Sourcepoint"],
  ["securiti.ai", "Securiti"],
  ["termly.io", "Termly"],
  ["transcend-cdn.com", "Transcend"],
  ["trustarc.com", "TrustArc"],
  ["usercentrics.eu", "Usercentrics"],
]

/** For a lower-case host without a port; undefined for an unknown one. */
export const consentManagerOf = (host: string): string | undefined =>
  names.find(([known]) => host === known || host.endsWith(`.${known}`))?.[1]
