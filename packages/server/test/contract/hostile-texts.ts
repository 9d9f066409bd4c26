// Texts that make a careless regular expression slow: for each part of it, what it has to pass before that part, and then
// 200,000 characters that the part takes, or the start repeated, and at last a character that fits nothing.

/** Units: UTF-16 code units. */
const textLength = 200_000

/** Fits no expression. */
const misfit = "\u0001"

/** Tried against every expression, whatever it contains. */
const usual = [..." a0!-./\n\u00e9,@\"'"]

/** Samples of what an escape or a class accepts. */
interface Atom {
  readonly samples: ReadonlyArray<string>
  readonly isOptional: boolean
}

const escapes: Readonly<Record<string, ReadonlyArray<string>>> = {
  d: ["0", "7"],
  D: ["x"],
  s: [" ", "\n"],
  S: ["x"],
  w: ["a", "0", "_"],
  W: ["-"],
  t: ["\t"],
  n: ["\n"],
  r: ["\r"],
  b: [],
  B: [],
  L: ["a", "\u00e9"],
  N: ["1"],
  M: ["\u0301"],
}

/** The parts of an expression in order, as if it had no groups and no alternatives. */
const atomsOf = (pattern: string): ReadonlyArray<Atom> => {
  const atoms: Array<Atom> = []
  const lexemes = pattern.matchAll(
    /\[(?<members>(?:\\[^]|[^\]\\])*)\]|(?<group>\(\?(?:<?[=!]|:|<\w+>|[a-z-]+:)|[()|^$])|(?<quantifier>[*+?]\??|\{\d+(?:,\d*)?\})|(?<one>\\[pP]\{\w+(?:=\w+)?\}|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^]|[^])/giu,
  )
  for (const { groups = {} } of lexemes) {
    const { members, one, quantifier } = groups
    if (quantifier !== undefined) {
      const last = atoms.pop()
      if (last) atoms.push({ ...last, isOptional: /^(?:[*?]|\{0)/.test(quantifier) })
    } else if (members !== undefined) {
      const samples = members.startsWith("^")
        ? ["a", " ", "-", "[", "<", "\\"].filter((sign) => !members.includes(sign))
        : samplesOf(members)
      atoms.push({ samples, isOptional: false })
    } else if (one !== undefined) atoms.push({ samples: samplesOf(one), isOptional: false })
  }
  return atoms.filter(({ samples }) => samples.length > 0)
}

const samplesOf = (members: string): ReadonlyArray<string> => {
  const found = members.matchAll(
    /\\[pP]\{(?<property>\w)[^}]*\}|\\u\{?(?<hex>[0-9a-f]{4,6})\}?|\\x(?<short>[0-9a-f]{2})|\\(?<escape>[^])|(?<plain>[^])/giu,
  )
  const samples = [...found].flatMap(({ groups = {} }) => {
    const { escape, hex, plain, property, short } = groups
    const code = hex ?? short
    if (code !== undefined) return [String.fromCodePoint(Number.parseInt(code, 16))]
    if (plain !== undefined) return [plain === "." ? "x" : plain]
    return escapes[property ?? escape ?? ""] ?? [property === undefined ? (escape ?? "") : "x"]
  })
  return [...new Set(samples)].slice(0, 12)
}

/** The longest start that is tried before a part. Units: parts. */
const startLength = 24

const startOf = (atoms: ReadonlyArray<Atom>, place: number): string =>
  atoms
    .slice(Math.max(0, place - startLength), place)
    .map(({ isOptional, samples }) => (isOptional ? "" : samples[0]!))
    .join("")

/** The hostile texts of an expression, each made when it is needed. */
export const hostileTexts = (pattern: string): ReadonlyArray<() => string> => {
  const atoms = atomsOf(pattern)
  const pumps = new Map<string, () => string>()
  const add = (start: string, pump: string) => {
    pumps.set(`${start}\u0000${pump}`, () => {
      const text = start + pump.repeat(Math.ceil(textLength / pump.length))
      return text.slice(0, textLength) + misfit
    })
  }
  for (const pump of usual) add("", pump)
  for (const [place, { samples }] of atoms.entries()) {
    const start = startOf(atoms, place)
    const last = startOf(atoms, place).slice(-3)
    for (const pump of samples) {
      add("", pump)
      add(start, pump)
      add("", start + pump)
      add("", last + pump)
    }
  }
  return [...pumps.values()]
}
