/**
 * `@footfall/pixel` for bundlers: the same script as a function, with options as arguments and commands as a typed
 * object. It contains the complete code of the served script. Each call has its own state, so several pixels on a page
 * don't affect each other.
 *
 * Without a `window` its commands do nothing. It never throws.
 */

export interface FootfallOptions {
  /** The pixel id, a UUID. */
  readonly pixelId: string
  /** Origin and path of the pixel host, for example `https://pixel.example`. */
  readonly baseUrl: string
  /** Labels of the visit, at most 20. The page is public, so never put secrets here. */
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
  /** Path patterns of pages to leave out. */
  readonly excludedPaths?: readonly string[]
  /** Path patterns of the only pages to count. */
  readonly includedPaths?: readonly string[]
  /** Marks the events, and logs rejected commands to the console. Default: false. */
  readonly debug?: boolean
}

/**
 * Strings, finite numbers and booleans; other values are dropped. At most 20 keys of 64 characters, strings of at most
 * 255.
 */
export interface Props {
  readonly [key: string]: string | number | boolean | null | undefined
}

export interface Traits {
  readonly firstName?: string
  readonly lastName?: string
  readonly jobTitle?: string
  readonly companyName?: string
  readonly companyDomain?: string
  /** Another way to write `companyName`, or both. */
  readonly company?: string | { readonly name?: string; readonly domain?: string }
  /** With its country code, such as +14155550134. */
  readonly phone?: string
  /** Merged into the visitor's custom attribution. */
  readonly custom?: Props
}

export interface Footfall {
  /** Records a page view manually. */
  page(props?: Props): void
  /** Links this browser to a person by email address or its SHA-256 hash in hex. */
  identify(subject: string | { readonly emailHash: string }, traits?: Traits): void
  /** Records a custom event. */
  track(name: string, props?: Props): void
  /** Gives or revokes consent. The choice is kept for 180 days. */
  consent(state: "granted" | "denied"): void
  /** Stops tracking on this site for 13 months. */
  optOut(): void
  optIn(): void
  /** Starts a new anonymous id, for logout. */
  reset(): void
  /** Runs the callback in a task of its own. */
  ready(callback: () => void): void
  /** The anonymous id; null before consent, under a privacy signal, or without a `window`. */
  getVisitorId(): string | null
}

/** The build writes this: the function wraps the script. */
export declare const footfall: (options: FootfallOptions) => Footfall
