/**
 * The optional parts of the script. The build writes one file for each set of them, `dist/variants/<name>.js`.
 * `dist/footfall.js` has all parts. A file doesn't contain the parts it leaves out.
 *
 * A tag may ask for more than the settings do (`data-consent`, `data-exclude`, …). A file without that part then stores
 * and sends nothing and loads the full file instead. The embedded settings give that file's content hash as `full`; the
 * full file gets no such key.
 */

/** Sorted by name. File names list them in this order. */
export const features = [
  /** Email addresses from forms. Included if `emailCapture` is `forms` or `all`. */
  "capture",
  /** Consent modes and signals. Included unless `consent` is `granted`. */
  "consent",
  /** Page views by URL fragment. Included if `spa` is `hash`. */
  "hash",
  /**
   * Where the id is stored (`cookies: none`, `cookieDomain`), Do Not Track, `spa: off`. Included if one of them is set.
   */
  "options",
  /** Path filters. Included if `excludedPaths` or `includedPaths` is set. */
  "paths",
] as const

export type Feature = (typeof features)[number]

/** Name of the file with these parts, given in any order: `consent-paths`, `core`. */
export const variantName = (chosen: Iterable<Feature>): string => {
  const selected = new Set(chosen)
  return features.filter((feature) => selected.has(feature)).join("-") || "core"
}

/** Every set of features, from the empty set to the full one. */
export const featureSets: readonly (readonly Feature[])[] = features.reduce<Feature[][]>(
  (sets, feature) => [...sets, ...sets.map((set) => [...set, feature])],
  [[]],
)
