// The catalogue a generator takes its topics from: the one of the demo, and as many variations of it as
// are asked for ("Freight Visibility for Banking"), for those who measure with a large catalogue.

export interface CatalogueTopic {
  readonly topicId: number
  readonly topicName: string
  readonly type: string
  readonly industry: string
  readonly category: string
  /** What it is called besides, with `|` between. */
  readonly words: string
}

/** Variations are numbered from here; the catalogue of the demo ends before. */
const variationIdMin = 100_000

/** A catalogue of `count` topics; Infinity: the one of the demo, which `csv` is. */
export const catalogueOf = (csv: string, count: number): ReadonlyArray<CatalogueTopic> => {
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
      } as CatalogueTopic
    })
  const industries = [...new Set(known.map(({ industry }) => industry))]
  const variation = (number: number): CatalogueTopic => {
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

/** The header, then a line for each topic. */
export function* topicLines(topics: ReadonlyArray<CatalogueTopic>): Iterable<string> {
  yield "topicId,topicName,type,industry,category,words"
  for (const { category, industry, topicId, topicName, type, words } of topics) {
    yield [topicId, topicName, type, industry, category, words].join(",")
  }
}
