/**
 * The parts of the script that a pixel may do without. The build makes one file for each set of
 * them, `dist/variants/<name>.js`; `dist/footfall.js` has all. A part that is out is not in the file.
 *
 * A tag may ask for more than the settings do (`data-consent`, `data-exclude`, …). A file that lacks
 * the part then stores nothing, sends nothing and loads the full file in its place, whose content
 * hash the embedded settings name as `full`; the full file is given no such key.
 */

/** In the order of their names, which is their order in the name of a file. */
export const features = [
  /** E-mail addresses from forms. In where `emailCapture` is `forms` or `all`. */
  "capture",
  /** Consent modes and signals. In unless `consent` is `granted`. */
  "consent",
  /** Page views by the fragment. In where `spa` is `hash`. */
  "hash",
  /**
   * Where the id is kept (`cookies: none`, `cookieDomain`), Do Not Track, `spa: off`. In where one of
   * them is set.
   */
  "options",
  /** Path filters. In where `excludedPaths` or `includedPaths` is set. */
  "paths",
] as const

export type Feature = (typeof features)[number]

/** Name of the file with these parts, in whatever order they are given: `consent-paths`, `core`. */
export const variantName = (chosen: Iterable<Feature>): string => {
  const wanted = new Set(chosen)
  return features.filter((feature) => wanted.has(feature)).join("-") || "core"
}

/** Every set of features, the one without any first and the one with all last. */
export const featureSets: readonly (readonly Feature[])[] = features.reduce<Feature[][]>(
  (sets, feature) => [...sets, ...sets.map((set) => [...set, feature])],
  [[]],
)
