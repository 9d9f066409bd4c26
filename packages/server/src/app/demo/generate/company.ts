// A generated company by number: the same number and seed always produce the same one, so millions need no memory. None
// is real; their domains end in `.example` (RFC 2606).
import { SeededRandom } from "../seeded-random.ts"
import { industries, type Industry } from "./industries.ts"

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

/** Upper bound of each range in millions (spec 2.9). */
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
  // Most companies are small, and some are very large.
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

/** Each number has its own name: neighbors look different, and after a full round a suffix distinguishes names. */
const nameAt = (number: number): string => {
  const place = (number * 7_001) % namesCount // 7,001 is prime to the count, so no name repeats
  const round = Math.floor(number / namesCount)
  const head =
    first[place % first.length]! + second[Math.floor(place / first.length) % second.length]!
  const tail = last[Math.floor(place / (first.length * second.length))]!
  return round === 0 ? `${head} ${tail}` : `${head} ${tail} ${round + 1}`
}

// The locations of generated companies: a US city, its state and zip prefix, and its relative weight.
export interface Place {
  readonly city: string
  readonly state: string
  readonly zipPrefix: string
}

const place = (
  city: string,
  state: string,
  zipPrefix: string,
  weight: number,
): readonly [Place, number] => [{ city, state, zipPrefix }, weight]

export const places: ReadonlyArray<readonly [Place, weight: number]> = [
  place("New York", "NY", "100", 85),
  place("Los Angeles", "CA", "900", 60),
  place("Chicago", "IL", "606", 48),
  place("Houston", "TX", "770", 38),
  place("San Francisco", "CA", "941", 40),
  place("Boston", "MA", "021", 34),
  place("Atlanta", "GA", "303", 33),
  place("Dallas", "TX", "752", 35),
  place("Seattle", "WA", "981", 30),
  place("Austin", "TX", "787", 24),
  place("Denver", "CO", "802", 23),
  place("Washington", "DC", "200", 26),
  place("Miami", "FL", "331", 25),
  place("Philadelphia", "PA", "191", 24),
  place("Phoenix", "AZ", "850", 21),
  place("Minneapolis", "MN", "554", 19),
  place("San Diego", "CA", "921", 20),
  place("Charlotte", "NC", "282", 17),
  place("Detroit", "MI", "482", 16),
  place("Portland", "OR", "972", 14),
  place("Nashville", "TN", "372", 14),
  place("Columbus", "OH", "432", 14),
  place("Salt Lake City", "UT", "841", 13),
  place("Tampa", "FL", "336", 13),
  place("Raleigh", "NC", "276", 12),
  place("Kansas City", "MO", "641", 11),
  place("Indianapolis", "IN", "462", 11),
  place("Pittsburgh", "PA", "152", 10),
  place("Las Vegas", "NV", "891", 10),
  place("Milwaukee", "WI", "532", 8),
  place("New Orleans", "LA", "701", 7),
  place("Richmond", "VA", "232", 8),
  place("Newark", "NJ", "071", 15),
  place("Hartford", "CT", "061", 8),
  place("Baltimore", "MD", "212", 10),
  place("Louisville", "KY", "402", 7),
  place("Oklahoma City", "OK", "731", 6),
  place("Omaha", "NE", "681", 6),
  place("Des Moines", "IA", "503", 5),
  place("Birmingham", "AL", "352", 6),
  place("Boise", "ID", "837", 5),
  place("Albuquerque", "NM", "871", 4),
  place("Little Rock", "AR", "722", 4),
  place("Providence", "RI", "029", 4),
  place("Honolulu", "HI", "968", 3),
  place("Anchorage", "AK", "995", 2),
]
