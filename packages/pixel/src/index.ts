/**
 * `@footfall/pixel` for bundlers: the same script as a function, with its options as arguments and
 * its commands as a typed object. What it is built of is the code of the served script, whole: each
 * call has a state of its own, so several pixels on a page do not touch each other.
 *
 * Does nothing but answer where there is no `window`, and never throws.
 */

export interface FootfallOptions {
  /** The id of the pixel, a uuid. */
  readonly pixelId: string
  /** Origin and path of the pixel host, as in `https://pixel.example`. */
  readonly baseUrl: string
  /** Labels of the visit, at most 20; the page is public, so never secrets. */
  readonly attribution?: { readonly [key: string]: string }
  /** Default: `auto`. */
  readonly consent?: "auto" | "required" | "granted" | "denied"
  /** Default: `auto`. */
  readonly spa?: "auto" | "hash" | "off"
  /** Default: `off`. */
  readonly emailCapture?: "off" | "forms" | "all"
  /** Default: `first-party`. */
  readonly cookies?: "first-party" | "none"
  /** Shares the id between subdomains. */
  readonly cookieDomain?: string
  /** Treats Do Not Track like Global Privacy Control. Default: false. */
  readonly respectDnt?: boolean
  /** Path patterns of pages that do not count. */
  readonly excludedPaths?: readonly string[]
  /** Path patterns of the only pages that count. */
  readonly includedPaths?: readonly string[]
  /** Marks the events, and tells refused commands in the console. Default: false. */
  readonly debug?: boolean
}

/** Plain values; others are left out. At most 20 keys of 64 characters, texts of 255. */
export interface Props {
  readonly [key: string]: string | number | boolean | null | undefined
}

export interface Traits {
  readonly firstName?: string
  readonly lastName?: string
  readonly jobTitle?: string
  readonly companyName?: string
  readonly companyDomain?: string
  readonly phone?: string
  /** Merged into the visitor's custom attribution. */
  readonly custom?: Props
}

export interface Footfall {
  /** A page view by hand. */
  page(props?: Props): void
  /** Links this browser to a person, by e-mail address or its SHA-256 in hex. */
  identify(subject: string | { readonly emailHash: string }, traits?: Traits): void
  /** A custom event. */
  track(name: string, props?: Props): void
  /** Gives or revokes consent; kept for 180 days. */
  consent(state: "granted" | "denied"): void
  /** Stops on this site, for 13 months. */
  optOut(): void
  optIn(): void
  /** A new anonymous id, for log-out. */
  reset(): void
  /** Runs the callback in a task of its own. */
  ready(callback: () => void): void
  /** The anonymous id; null before consent, under a privacy signal and without a `window`. */
  getVisitorId(): string | null
}

/** Written by the build: the body of the script around which this function stands. */
export declare const footfall: (options: FootfallOptions) => Footfall
