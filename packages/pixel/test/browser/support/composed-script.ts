/**
 * The script of a pixel, composed from its settings as the server does it (`packages/pixel/src/features.ts`): the file
 * with the parts it needs, which names the full script by its digest, and that full script.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { variantName } from "../../../src/features.ts"
import type { Feature } from "../../../src/features.ts"
import { builtFiles } from "../../support/built-files.ts"

/** The settings of a pixel and its path lists that decide which script it gets. */
export interface ComposedSettings {
  readonly [setting: string]: unknown
  readonly consent?: string
  readonly spa?: string
  readonly emailCapture?: string
  readonly cookies?: string
  readonly cookieDomain?: string
  readonly respectDnt?: boolean
  readonly excludedPaths?: readonly string[]
  readonly includedPaths?: readonly string[]
}

const assembled = (file: string, settings: object): string =>
  readFileSync(join(builtFiles, file), "utf8").replace("__FOOTFALL_SETTINGS__", () =>
    JSON.stringify(settings),
  )

export const featuresOf = (settings: ComposedSettings): Feature[] => {
  const wanted: { readonly [feature in Feature]: boolean } = {
    capture: /forms|all/.test(settings.emailCapture ?? ""),
    consent: settings.consent !== "granted",
    hash: settings.spa === "hash",
    options: Boolean(
      settings.cookieDomain ||
      settings.respectDnt ||
      settings.cookies === "none" ||
      settings.spa === "off",
    ),
    paths: Boolean(settings.excludedPaths ?? settings.includedPaths),
  }
  // The keys of an object of this type are features.
  return (Object.keys(wanted) as Feature[]).filter((feature) => wanted[feature])
}

export const fullScript = (id: string, settings: ComposedSettings): string =>
  assembled("footfall.js", { id, ...settings })

/** The first 16 hex digits of the digest, which are part of the full script's address. */
export const fullHash = (id: string, settings: ComposedSettings): string =>
  createHash("sha256").update(fullScript(id, settings)).digest("hex").slice(0, 16)

export const composedScript = (id: string, settings: ComposedSettings): string => {
  const full = fullHash(id, settings)
  return assembled(`variants/${variantName(featuresOf(settings))}.js`, { id, full, ...settings })
}
