// Where generated companies sit: a city of the United States, its state and the beginning of its zip
// codes, and how many companies there are for each in another place.

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
