// What a 404 is about: the server says only "Not found.", and the command line says which ids were sent.

/** A thing that a command refers to by id. */
interface Thing {
  readonly noun: string
  readonly id: string
  /** The command that lists things of its kind. */
  readonly list: string
}

type Kind = readonly [noun: string, list: (before: ReadonlyArray<string>) => string]

const audience: Kind = ["audience", () => "footfall audiences list"]
const run: Kind = ["run", ([of]) => `footfall runs list ${of}`]
const destination: Kind = ["destination", ([of]) => `footfall destinations list ${of}`]
const pixel: Kind = ["pixel", () => "footfall pixels list"]
const segment: Kind = ["segment", () => "footfall segments list"]
const webhook: Kind = ["webhook", () => "footfall webhooks list"]

/** The arguments of the commands of a noun. */
const argumentsOf: ReadonlyMap<string, ReadonlyArray<Kind>> = new Map([
  ["audiences", [audience]],
  ["runs", [audience, run]],
  ["exports", [audience, run, ["export", ([of, at]) => `footfall exports list ${of} ${at}`]]],
  ["destinations", [audience, destination]],
  ["deliveries", [audience, ["delivery", ([of]) => `footfall deliveries list ${of}`]]],
  ["deliveries sync", [audience, destination]],
  ["webhooks", [webhook, ["webhook delivery", ([of]) => `footfall webhooks deliveries ${of}`]]],
  ["segments", [segment]],
  ["pixels", [pixel]],
  ["keys", [["API key", () => "footfall keys list"]]],
  ["topic-lists", [["topic list", () => "footfall topic-lists list"]]],
  ["suppression", [["rule", () => "footfall suppression list"]]],
])

/** Options with an id. */
const options: ReadonlyMap<string, Kind> = new Map([
  ["--pixel", pixel],
  ["--segment", segment],
  ["--audience", audience],
  ["--webhook", webhook],
])

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(
  "-q -y --quiet --yes --json --all --wait --api-key-stdin --overwrite --raw --apply".split(" "),
)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The message and the next step; null if the command line has no id of a known kind. */
export const notFoundOf = (
  commandLine: ReadonlyArray<string>,
): { readonly message: string; readonly nextStep: string } | null => {
  const things = thingsOn(commandLine)
  const [first] = things
  if (first === undefined) return null
  const names = things.map(({ id, noun }) => `${noun} ${id}`)
  return {
    message:
      things.length === 1
        ? `There is no ${names[0]}.`
        : `Not found: the ${names.join(" or the ")}.`,
    nextStep: `To list them: ${things.map(({ list }) => list).join(", ")}`,
  }
}

const thingsOn = (commandLine: ReadonlyArray<string>): ReadonlyArray<Thing> => {
  const { given, words } = parted(commandLine)
  const at = words.findIndex((word) => argumentsOf.has(word))
  const [noun = "", command = "", ...rest] = at < 0 ? [] : words.slice(at)
  const kinds = argumentsOf.get(`${noun} ${command}`) ?? argumentsOf.get(noun) ?? []
  const positional = kinds.flatMap(([name, list], index): ReadonlyArray<Thing> => {
    const id = rest[index]
    if (id === undefined || !uuid.test(id)) return []
    return [{ noun: name, id, list: list(rest) }]
  })
  return [...positional, ...given]
}

/** The words without options, and the things that options name. */
const parted = (
  commandLine: ReadonlyArray<string>,
): { readonly words: ReadonlyArray<string>; readonly given: ReadonlyArray<Thing> } => {
  const words: Array<string> = []
  const given: Array<Thing> = []
  for (let at = 0; at < commandLine.length; at += 1) {
    const word = commandLine[at] ?? ""
    if (!word.startsWith("-") || word === "-") {
      words.push(word)
      continue
    }
    const [option = "", inWord] = word.split("=", 2)
    if (flags.has(option) || option.startsWith("--no-")) continue
    const value = inWord ?? commandLine[(at += 1)] ?? ""
    const kind = options.get(option)
    if (kind !== undefined && uuid.test(value)) {
      given.push({ noun: kind[0], id: value, list: kind[1]([]) })
    }
  }
  return { words, given }
}
