/** Constants that the build inserts. See `features.ts` and `tsup.config.ts`. */

/** Whether this file includes a part, and whether it includes all parts. */
declare const HAS_ALL: boolean
declare const HAS_CAPTURE: boolean
declare const HAS_CONSENT: boolean
declare const HAS_HASH: boolean
declare const HAS_OPTIONS: boolean
declare const HAS_PATHS: boolean
/** Whether this file is the npm package, which has no script tag. */
declare const IS_MODULE: boolean

/** Settings of spec 2.4 that the script uses, plus its own. The others concern only the server. */
interface EmbeddedSettings {
  readonly [setting: string]: unknown
  readonly id: string
  /** The first 16 hex digits of the full script's digest. The full script itself has no such key. */
  readonly full?: string
  readonly spa?: string | null
  readonly cookieDomain?: string | null
  readonly excludedPaths?: readonly string[] | null
  readonly includedPaths?: readonly string[] | null
  /** Only in the npm package, where there is no tag. */
  readonly src?: string
  readonly debug?: boolean
}

/** Occurs exactly once in a built script. The server replaces it with a JSON object. */
declare const __FOOTFALL_SETTINGS__: EmbeddedSettings
