/** Constants that the build writes in. See `features.ts` and `tsup.config.ts`. */

/** Whether this file has a part, and whether it has them all. */
declare const HAS_ALL: boolean
declare const HAS_CAPTURE: boolean
declare const HAS_CONSENT: boolean
declare const HAS_HASH: boolean
declare const HAS_OPTIONS: boolean
declare const HAS_PATHS: boolean
/** Whether this file is the npm package, which has no script tag. */
declare const IS_MODULE: boolean

/** Beside the settings of spec 2.4 (others of them are the server's concern). */
interface EmbeddedSettings {
  readonly [setting: string]: unknown
  readonly id: string
  /** Of the script with every part: the first 16 hex digits of its digest. Not in that one itself. */
  readonly full?: string
  readonly spa?: string | null
  readonly cookieDomain?: string | null
  readonly excludedPaths?: readonly string[] | null
  readonly includedPaths?: readonly string[] | null
  /** In the npm package only: in place of the tag. */
  readonly src?: string
  readonly debug?: boolean
}

/** Named exactly once in a built script: the server writes a JSON object in its place. */
declare const __FOOTFALL_SETTINGS__: EmbeddedSettings
