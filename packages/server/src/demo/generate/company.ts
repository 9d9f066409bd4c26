// A generated company by its number: the same number and seed always give the same one, so millions
// need no memory. None of them is real; their domains end in `.example` (RFC 2606).
import { SeededRandom } from "../seeded-random.ts"
import { industries, type Industry } from "./industries.ts"
import { places, type Place } from "./places.ts"

export interface Company {
  readonly name: string
  readonly domain: string
  readonly industry: Industry
  readonly place: Place
  readonly zipCode: string
  readonly employeeCount: number
  readonly revenueRange: string
}

const first = (
  "Alder Amber Anchor Arbor Aspen Atlas Beacon Birch Bluestone Bridge Brook Cedar Cinder Clear Cobalt Coral " +
  "Crescent Crown Delta Drift Eagle East Elm Ember Falcon Fern Flint Forge Fox Frost Garnet Glacier Golden " +
  "Granite Grey Gull Harbor Hawthorn Hazel Heron High Hollow Indigo Iron Ivy Jade Juniper Keystone Lake Lark " +
  "Laurel Liberty Lime Linden Maple Marble Meadow Meridian Mill Mist Moss North Oak Onyx Orchard Otter Pearl " +
  "Pine Pioneer Prairie Quarry Quay Raven Red Reed Ridge River Rowan Sable Saffron Sage Salt Silver Slate " +
  "South Spruce Sterling Stone Summit Swift Tern Thistle Tide Timber Union Vale Vista Walnut West Willow Wren"
).split(" ")
const second = (
  "bay brook crest dale field ford gate grove haven hill land light line mark mere mont peak point port " +
  "quest ridge shore spring stead stone tide vale view water way well wick wind wood works yard"
).split(" ")
const last = (
  "Analytics Associates Brands Capital Foods Group Health Holdings Industries Instruments Labs Logistics " +
  "Manufacturing Materials Medical Networks Partners Robotics Services Software Solutions Supply Systems " +
  "Technologies Trading Transport Ventures"
).split(" ")
const namesCount = first.length * second.length * last.length

/** Upper bound of each range in millions. Source: spec 2.9. */
const revenueRanges: ReadonlyArray<readonly [range: string, millions: number]> = [
  ["under 1 million", 1],
  ["1 million to 5 million", 5],
  ["5 million to 10 million", 10],
  ["10 million to 25 million", 25],
  ["25 million to 50 million", 50],
  ["50 million to 100 million", 100],
  ["100 million to 250 million", 250],
  ["250 million to 500 million", 500],
  ["500 million to 1 billion", 1_000],
  ["1 billion and over", Infinity],
]

export const companyAt = (number: number, seed: number): Company => {
  const random = new SeededRandom(seed * 7_919 + number * 104_729)
  const name = nameAt(number)
  const place = random.weighted(places)
  // Most companies are small and some are very large.
  const employeeCount = Math.ceil(10 ** (0.3 + 4.2 * random.next() ** 1.7))
  const revenue = employeeCount * (0.06 + 0.3 * random.next())
  return {
    name,
    domain: `${name.toLowerCase().replaceAll(" ", "-")}.example`,
    industry: random.weighted(industries),
    place,
    zipCode: place.zipPrefix + String(random.below(100)).padStart(2, "0"),
    employeeCount,
    revenueRange: revenueRanges.find(([, millions]) => revenue < millions)![0],
  }
}

/** Each number has a name of its own: neighbors look different, and what follows a full round is told apart. */
const nameAt = (number: number): string => {
  const place = (number * 7_001) % namesCount // 7,001 is prime to the count, so no name comes twice.
  const round = Math.floor(number / namesCount)
  const head =
    first[place % first.length]! + second[Math.floor(place / first.length) % second.length]!
  const tail = last[Math.floor(place / (first.length * second.length))]!
  return round === 0 ? `${head} ${tail}` : `${head} ${tail} ${round + 1}`
}
