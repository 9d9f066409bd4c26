// The catalog a generator uses: the demo's, plus as many variations as requested ("Freight Visibility for Banking"),
// for measuring with a large catalog.

export interface CatalogTopic {
  readonly topicId: number
  readonly topicName: string
  readonly type: string
  readonly industry: string
  readonly category: string
  /** Other names, separated by `|`. */
  readonly words: string
}

/** Variations are numbered from here; the demo's ids are lower. */
const variationIdMin = 100_000

/** A catalog of `count` topics. Infinity returns the demo's, given as `csv`. */
export const catalogOf = (csv: string, count: number): ReadonlyArray<CatalogTopic> => {
  const known = csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [topicId, topicName, type, industry, category, words] = line.split(",")
      return {
        topicId: Number(topicId),
        topicName,
        type,
        industry,
        category,
        words,
      } as CatalogTopic
    })
  const industries = [...new Set(known.map(({ industry }) => industry))]
  const variation = (number: number): CatalogTopic => {
    const topic = known[number % known.length]!
    const round = Math.floor(number / known.length)
    const audience = industries[round % industries.length]!
    const size = sizes[Math.floor(round / industries.length) % sizes.length]!
    return {
      ...topic,
      topicId: variationIdMin + number,
      words: "",
      topicName: `${topic.topicName} for ${size}${titled(audience)}`,
    }
  }
  if (count <= known.length || count === Infinity) return known.slice(0, count)
  const more = Array.from({ length: count - known.length }, (_, at) => variation(at))
  return [...known, ...more]
}

const sizes = ["", "Small Business ", "Enterprise "]

const titled = (text: string): string =>
  text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The header, then one line per topic. */
export function* topicLines(topics: ReadonlyArray<CatalogTopic>): Iterable<string> {
  yield "topicId,topicName,type,industry,category,words"
  for (const { category, industry, topicId, topicName, type, words } of topics) {
    yield [topicId, topicName, type, industry, category, words].join(",")
  }
}
