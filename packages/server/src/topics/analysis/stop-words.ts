// The words that say nothing of what a text is about, by language.
import { Effect } from "effect"

export interface StopWords {
  /** What the names of topics and the text of pages are compared without. */
  readonly english: ReadonlySet<string>
  /** Those, and the ones of a language as a page names it, `de-AT`. */
  of(language: string | null): ReadonlySet<string>
}

/** The library's lists by the names that pages give to languages. ISO 639-1 and 639-3. */
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

/** Loads the lists when they are first used: most servers are never asked to read a page. */
export const stopWords: Effect.Effect<StopWords> = Effect.map(
  Effect.promise(() => import("stopword")),
  (library) => {
    // Node loads the CommonJS of the package, which is one export; the bundle has its modules, with no default.
    const all = library.default ?? (library as unknown as NonNullable<typeof library.default>)
    const english = new Set(all["eng"])
    return {
      english,
      of: (language) => {
        const name = lists.get(language?.toLowerCase().split(/[-_]/)[0] ?? "") ?? "eng"
        // own keys: `lists` names the lists of the library.
        const list = all[name] ?? []
        return new Set([...english, ...list])
      },
    }
  },
)
