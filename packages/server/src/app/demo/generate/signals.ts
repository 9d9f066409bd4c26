// Generated signals. Topic popularity follows Zipf's law, or is more even if a plan wants people for every topic. A
// topic's people stay mostly the same from day to day, and topics of one category share many people, as with real
// interest. A topic's day is a walk through a fixed permutation of all people, so no one gets two signals for it and
// nothing is kept in memory.
import { SeededRandom } from "../seeded-random.ts"

export interface SignalPlan {
  readonly topics: ReadonlyArray<{ readonly topicId: number; readonly industry: string }>
  readonly peopleCount: number
  /** Over all days; fewer if a topic would need more people than exist. */
  readonly signalsCount: number
  readonly daysCount: number
  readonly seed: number
  /** Share of signals spread evenly over all topics, 0 to 1. Default: 0. */
  readonly evenShare?: number
  /** Ids of especially popular topics. Default: none. */
  readonly prominent?: ReadonlyArray<number>
}

export interface GeneratedSignal {
  readonly topicId: number
  /** The person's number, from 0. */
  readonly person: number
  /** 1 to 100. */
  readonly score: number
}

/** Popularity rank of the first prominent topic; the others follow. */
const prominentRank = 6

/** Share of a topic's people that are new each day. */
const dailyTurnover = 0.07

/** Yields the signals of a day, topic by topic. `day`: from 0 to below daysCount. */
export function* signalsOfDay(plan: SignalPlan, day: number): Iterable<GeneratedSignal> {
  const { peopleCount } = plan
  for (const { average, countOn, level, offset, stride, topicId } of interestsOf(plan)) {
    const begin = offset + Math.floor(day * average * dailyTurnover)
    const count = Math.min(peopleCount, countOn[day]!)
    for (let place = 0; place < count; place++) {
      const person = ((begin + place) * stride) % peopleCount
      yield { topicId, person, score: scoreOf(person, topicId, level, day) }
    }
  }
}

interface Interest {
  readonly topicId: number
  /** Signals per day. */
  readonly average: number
  readonly countOn: ReadonlyArray<number>
  /** Added to every score: some topics are researched more deeply than others. */
  readonly level: number
  readonly offset: number
  readonly stride: number
}

const interestsOf = (plan: SignalPlan): ReadonlyArray<Interest> => {
  const { daysCount, evenShare = 0, peopleCount, seed, signalsCount, topics } = plan
  const random = new SeededRandom(seed)
  const ranks = ranksOf(plan, random)
  const even = (evenShare * sum(ranks.map((rank) => 1 / rank))) / ranks.length
  // Interest rises or falls steadily, plus some chance.
  const weights = ranks.map((rank) => {
    const change = (random.next() - 0.45) * 0.04
    return Array.from({ length: daysCount }, (_, day) => {
      const trend = Math.max(0.1, 1 + (day - daysCount / 2) * change)
      return trend * (0.96 + 0.08 * random.next()) * ((1 - evenShare) / rank + even)
    })
  })
  const total = sum(weights.map(sum))
  let reached = 0
  const counts = weights.map((ofTopic) =>
    ofTopic.map((weight) => {
      const before = Math.round((reached / total) * signalsCount)
      reached += weight
      return Math.round((reached / total) * signalsCount) - before
    }),
  )
  const industries = new Map<string, { readonly offset: number; readonly stride: number }>()
  return topics.map(({ industry, topicId }, index) => {
    const common = industries.get(industry) ?? {
      offset: random.below(peopleCount),
      stride: primeTo(peopleCount, random),
    }
    industries.set(industry, common)
    return {
      topicId,
      average: sum(counts[index]!) / daysCount,
      countOn: counts[index]!,
      level: random.below(17) - 8,
      // An industry's topics start near each other in the same order of people.
      offset: common.offset + Math.floor((peopleCount / 50) * random.next() ** 2),
      stride: common.stride,
    }
  })
}

/** Random, except for the prominent topics. */
const ranksOf = (
  { prominent = [], topics }: SignalPlan,
  random: SeededRandom,
): ReadonlyArray<number> => {
  const ranks = shuffled(
    topics.map((_, rank) => rank + 1),
    random,
  )
  for (const [place, prominentId] of prominent.entries()) {
    const own = topics.findIndex(({ topicId }) => topicId === prominentId)
    const other = ranks.indexOf(prominentRank + place)
    ;[ranks[own], ranks[other]] = [ranks[other]!, ranks[own]!]
  }
  return ranks
}

const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, value) => total + value, 0)

/** Mostly in the sixties, rarely above 90, and much the same every day for one person and topic. */
const scoreOf = (person: number, topicId: number, level: number, day: number): number => {
  const lasting = mixed(person, topicId)
  const today = mixed(lasting, day)
  const middle = ((lasting & 0xff) + ((lasting >>> 8) & 0xff) + ((lasting >>> 16) & 0xff)) / 765
  const score = 27 + middle * 82 + level + (today % 7) - 3
  return Math.max(1, Math.min(100, Math.round(score <= 90 ? score : 90 + (score - 90) / 3)))
}

const mixed = (one: number, other: number): number => {
  let value = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 1, 0xc2b2ae35)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}

const shuffled = (values: ReadonlyArray<number>, random: SeededRandom): Array<number> => {
  const result = [...values]
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[result[last], result[other]] = [result[other]!, result[last]!]
  }
  return result
}

/** A number below `count` without a common divisor, so its multiples reach everyone before repeating. */
const primeTo = (count: number, random: SeededRandom): number => {
  let candidate = 1 + random.below(count)
  while (divisorOf(candidate, count) !== 1) candidate = (candidate % count) + 1
  return candidate
}

const divisorOf = (one: number, other: number): number =>
  other === 0 ? one : divisorOf(other, one % other)
