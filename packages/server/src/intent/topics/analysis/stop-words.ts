// Words that say nothing about a text's subject, by language.
export interface StopWords {
  /** Removed from topic names and page text before comparing. */
  readonly english: ReadonlySet<string>
  /** Those, plus the ones of a page's language, such as `de-AT`. */
  forLanguage(language: string | null): ReadonlySet<string>
}

/** The library's lists by language codes of pages. ISO 639-1 and 639-3. */
const lists: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: "ara",
    bg: "bul",
    ca: "cat",
    cs: "ces",
    da: "dan",
    de: "deu",
    el: "ell",
    es: "spa",
    et: "est",
    fa: "fas",
    fi: "fin",
    fr: "fra",
    he: "heb",
    hi: "hin",
    hr: "hrv",
    hu: "hun",
    id: "ind",
    it: "ita",
    lt: "lit",
    lv: "lav",
    nb: "nob",
    nl: "nld",
    no: "nob",
    pl: "pol",
    pt: "por",
    ro: "ron",
    ru: "rus",
    sk: "slk",
    sl: "slv",
    sv: "swe",
    tr: "tur",
    uk: "ukr",
    vi: "vie",
  }),
)

/** Loaded on first use, because most servers never analyze a page. */
export const loadStopWords = async (): Promise<StopWords> => {
  const library = await import("stopword")
  // Node loads the CommonJS package as one export; the bundle has modules without a default.
  const all = library.default ?? (library as unknown as NonNullable<typeof library.default>)
  const english = new Set(all["eng"])
  return {
    english,
    forLanguage: (language) => {
      const name = lists.get(language?.toLowerCase().split(/[-_]/)[0] ?? "") ?? "eng"
      // own keys: `lists` names the library's lists
      const list = all[name] ?? []
      return new Set([...english, ...list])
    },
  }
}
