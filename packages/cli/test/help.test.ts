// Help goes to standard output and is not an error.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { describe, expect, test } from "vitest"
import { wholeProgram } from "../src/program.ts"
import { version } from "../src/version.ts"
import { footfall } from "./fixtures/footfall.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

const root = await wholeProgram(thisTerminal, version)

/** Every leaf command, as its words. */
const leaves = (command: Command, before: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  command.commands.flatMap((one) => {
    const words = [...before, one.name()]
    return one.commands.length === 0 ? [words.join(" ")] : leaves(one, words)
  })

const commandOf = (words: string): Command | undefined =>
  words
    .split(" ")
    .reduce<Command | undefined>(
      (command, word) => command?.commands.find((one) => one.name() === word),
      root,
    )

const groupsAndLeaves = (command: Command): ReadonlyArray<Command> =>
  command.commands.flatMap((one) => [one, ...groupsAndLeaves(one)])

/** The output of `--help`. */
const helpOf = (command: Command | undefined): string => {
  let help = ""
  command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}

test("lists all commands", async () => {
  await expect(`${leaves(root).join("\n")}\n`).toMatchFileSnapshot("fixtures/commands.txt")
})

test.each(leaves(root))("help of `footfall %s` says what it does and has examples", (words) => {
  const help = helpOf(commandOf(words))

  expect(help).toMatch(new RegExp(`^Usage: footfall ${words}.*\n\n[A-Za-z]`))
  expect(help).toMatch(/Examples:\n {2}\$ /)
})

test.each(leaves(root).filter((words) => / (list|get)$/.test(words)))(
  "`footfall %s` has the options of every list or single-object command",
  (words) => {
    const options = commandOf(words)?.options.map(({ long }) => long)

    expect(options).toContain("--fields")
    if (words.endsWith(" list")) {
      expect(options).toEqual(expect.arrayContaining(["--limit", "--all"]))
    }
  },
)

/** Other commands that only read, under a name of their own. */
const shows = [
  "visitors query",
  "visitors sessions",
  "visitors session",
  "visitors fields",
  "visitors score",
  "visitors topics",
  "visitors origins",
  "companies query",
  "companies session",
  "companies activity",
  "companies score",
  "companies topics",
  "overview",
  "segments preview",
  "lists values",
  "score show",
  "suppression industries",
  "suppression why",
  "pixels verify",
  "webhooks deliveries",
  "webhooks delivery",
  "topics search",
  "topics movers",
  "topics trend",
  "topics compare",
  "topics facets",
  "topics analyze",
  "topics analyses",
  "audiences validate",
  "audiences preview",
  "audiences filters",
  "runs stats",
  "runs results",
  "deliveries failures",
  "deliveries failure",
  "integrations accounts check",
  "integrations lists",
  "integrations apps",
  "account",
  "doctor",
  "whoami",
]
test.each(shows)("`footfall %s` takes --fields, and as a list --limit and --all", (words) => {
  const options = commandOf(words)?.options.map(({ long }) => long)

  expect(options).toContain("--fields")
  expect(options?.includes("--limit")).toBe(options?.includes("--all"))
})

describe("one grammar", () => {
  const groups = root.commands.filter((command) => command.commands.length > 0)
  const nouns = [...groups, ...groups.flatMap((group) => group.commands)].filter(
    (command) => command.commands.length > 0,
  )
  const verbsOf = (noun: Command) => noun.commands.map((command) => command.name())

  test.each(nouns.map((noun) => [noun.name(), noun] as const))(
    "%s uses no other word for the same thing",
    (name, noun) => {
      // Suppression rules and values of lists have no names: they are added to a list and removed from it. There is one
      // score, which is replaced as a whole.
      const allowed =
        name === "suppression" || name === "lists"
          ? ["add", "remove"]
          : name === "score"
            ? ["show", "set"]
            : []
      const others = new Set("add remove new show view edit set revoke rm ls".split(" "))

      expect(verbsOf(noun).filter((verb) => others.has(verb))).toEqual(allowed)
    },
  )

  test.each(
    nouns
      .filter((noun) => verbsOf(noun).includes("list"))
      .map((noun) => [noun.name(), noun] as const),
  )(
    "objects that %s lists can be shown one at a time, and deletion asks for confirmation",
    (name, noun) => {
      // Their lists show every field.
      const whole = ["suppression", "topics", "shared-user-ids", "imports"]
      if (!whole.includes(name)) expect(verbsOf(noun)).toContain("get")
      const deletes = noun.commands.find((command) => command.name() === "delete")
      expect(deletes?.options.map(({ long }) => long) ?? ["--yes"]).toContain("--yes")
    },
  )
})

describe("the layout of help", () => {
  test("shows a group's commands before the global options", () => {
    const help = helpOf(commandOf("integrations accounts"))

    expect(help.indexOf("Commands:")).toBeLessThan(help.indexOf("\nOptions:"))
    expect(help.indexOf("\nOptions:")).toBeLessThan(help.indexOf("Global Options:"))
    expect(help).toMatch(/\n {2}get <id> +show one/)
  })

  const helpAt = (command: Command, columns: number): string => {
    let help = ""
    const getOutHelpWidth = () => columns
    command.configureOutput({ getOutHelpWidth, writeOut: (text) => (help += text) }).outputHelp()
    return help
  }
  const commands = [root, ...groupsAndLeaves(root)]

  test.each([60, 80, 120])("fits %i columns, except single words of examples", (columns) => {
    const tooLong = commands
      .flatMap((command) => helpAt(command, columns).split("\n"))
      .filter((line) => line.length > columns && !line.startsWith("Usage:"))
    const quoted = /^ {2,6}(?:\$ )?[^ ]*(?:'[^']*'|"[^"]*"|[^ ]+)(?: \\)?$/
    expect(tooLong.filter((line) => columns >= 80 || !quoted.test(line))).toEqual([])
  })

  test("an example that is too long continues after a backslash, and purposes are above", () => {
    const lines = (words: string, columns: number) =>
      /\nExamples:\n([^]*?)\n*$/.exec(helpAt(commandOf(words)!, columns))![1]!.split("\n")

    expect(lines("listen", 60).slice(0, 7)).toEqual([
      "  # events from now on",
      "  $ footfall listen --create",
      "  # a webhook that points here",
      "  $ footfall listen --port 4242 --secret-file secret.txt",
      "  $ footfall listen --forward-to http://localhost:3000/hooks",
      "  # with headers and payload",
      "  $ footfall listen --create --verbose",
    ])
    expect(lines("listen", 60).slice(-2)).toEqual([
      "  $ footfall listen --count 1 --json | footfall webhooks \\",
      "      verify - --secret-file secret.txt",
    ])
    expect(lines("listen", 100)[0]).toMatch(
      /^ {2}\$ footfall listen --create +# events from now on$/,
    )
    const all = (columns: number) =>
      commands.map((command) =>
        helpAt(command, columns)
          .replaceAll(/ \\\n +/g, " ")
          .match(/^ {2}\$ .*?(?= +#|$)/gm),
      )
    expect(all(60)).toEqual(all(1_000))
  })

  test("lists the exit codes", () => {
    expect(helpOf(root)).toMatch(/Exit codes:\n {2}0 success/)
  })
})

test("help of the program lists the commands, without an error", async () => {
  const { exitCode, stdout, stderr } = await footfall([])

  expect(stdout).toContain("Usage: footfall [options] [command]")
  expect(stdout).toMatch(/Visitors:\n {2}visitors +people identified/)
  expect(stdout).toMatch(/Examples:\n {2}\$ footfall/)
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test.each(root.commands.map((command) => command.name()))(
  "`footfall %s` is loaded only when it runs",
  async (name) => {
    const { exitCode, stdout, stderr } = await footfall([name, "--help"])

    expect(stdout).toMatch(/Commands:|Examples:/)
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  },
)

test("a group alone lists its commands, without an error", async () => {
  const { exitCode, stdout, stderr } = await footfall(["integrations", "accounts"])

  expect(stdout).toContain("Commands:")
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("help offers no option that takes a key", async () => {
  const { stdout } = await footfall(["visitors", "list", "--help"])

  expect(stdout).toContain("--api-key-stdin")
  expect(stdout).not.toMatch(/--(api-)?key /)
})

test.each(leaves(root))("`footfall %s` has the short options people expect", (words) => {
  const options = [...root.options, ...(commandOf(words)?.options ?? [])]
  const shorts = new Map(options.map(({ long, short }) => [long, short]))

  expect(shorts.get("--output")).toBe("-o")
  expect(shorts.get("--quiet")).toBe("-q")
  expect(shorts.get("--version")).toBe("-v")
  expect(shorts.get("--yes") ?? "-y").toBe("-y")
  expect(helpOf(commandOf(words))).toContain("-h, --help")
})

test("help says which commands require signing in", () => {
  const needing = leaves(root).filter((words) => helpOf(commandOf(words)).includes("Sign in first"))

  const nouns = new Set(
    "sync deliveries integrations keys members organizations sign-ins import".split(" "),
  )
  expect(leaves(root).filter((words) => nouns.has(words.split(" ")[0] ?? ""))).toEqual(
    needing.filter(
      (words) =>
        !["destinations certify", "destinations rotate-secret", "visitors archive"].includes(words),
    ),
  )
})

test.each([
  [
    ["help", "segments", "get"],
    ["segments", "get", "--help"],
  ],
  [
    ["help", "webhook"],
    ["webhooks", "-h"],
  ],
  [["help"], ["--help"]],
])("`footfall %j` prints what `footfall %j` prints", async (words, others) => {
  const [said, other] = await Promise.all([footfall(words), footfall(others)])

  expect(said.stdout).toBe(other.stdout)
  expect(said.exitCode).toBe(0)
})

test("help for an unknown command is a usage error", async () => {
  const { exitCode, stderr } = await footfall(["help", "visitors", "fly"])

  expect(stderr).toContain("Unknown command: visitors fly")
  expect(exitCode).toBe(2)
})

test("help for another tool's word suggests our command", async () => {
  const { exitCode, stderr } = await footfall(["help", "visitors", "rm"])

  expect(stderr).toContain(
    "Unknown command: visitors rm. Did you mean: footfall help visitors erase",
  )
  expect(exitCode).toBe(2)
})

test.each(["-v", "-V", "--version", "version"])(
  "`footfall %s` prints the version of the package",
  async (word) => {
    const { stdout } = await footfall([word])

    const file = readFileSync(join(import.meta.dirname, "../package.json"), "utf8")
    expect(version).toBe(JSON.parse(file).version)
    expect(stdout).toBe(`${version}\n`)
  },
)
