// Maps words from other tools (`rm`, `ls`, `auth login`, `config list`) to our commands.

import type { Command } from "commander"

/** The command that the words mean, or undefined. `root` must have every command loaded. */
export const commandMeant = (root: Command, words: ReadonlyArray<string>): Command | undefined => {
  const [first = "", second = "", third = ""] = words.map((word) => word.toLowerCase())
  const phrase = phrases.get(`${first} ${second}`) ?? phrases.get(first)
  if (phrase !== undefined) return found(root, phrase.split(" "))
  const noun = nounOf(root, first)
  if (noun !== undefined) return below(noun, second, third)
  // `footfall list segments`
  const later = nounOf(root, second)
  return later === undefined ? undefined : below(later, first, third)
}

/** For a verb without a noun: the command of the first noun with that verb. */
export const commandOfVerb = (root: Command, word: string): Command | undefined =>
  sameWords
    .filter((same) => same.includes(word))
    .flatMap(([verb = ""]) => root.commands.map((noun) => childOf(noun, verb)))
    .find((command) => command !== undefined)

const found = (root: Command, path: ReadonlyArray<string>): Command | undefined =>
  path.reduce<Command | undefined>((command, word) => command && childOf(command, word), root)

const childOf = (command: Command, word: string): Command | undefined =>
  command.commands.find((one) => one.name() === word || one.aliases().includes(word))

const nounOf = (root: Command, word: string): Command | undefined =>
  [word, `${word}s`, word.replace(/y$/, "ies"), word.replace(/s$/, ""), otherNouns.get(word)]
    .map((name) => (name ? childOf(root, name) : undefined))
    .find((command) => command !== undefined)

const below = (group: Command, verb: string, further: string): Command | undefined => {
  if (verb === "" || group.commands.length === 0) return group
  const names = [verb, ...sameWords.filter((same) => same.includes(verb)).flat()]
  const command =
    names.map((name) => childOf(group, name)).find((one) => one !== undefined) ??
    nounOf(group, verb)
  return command === undefined || command.commands.length === 0
    ? command
    : below(command, further, "")
}

const otherNouns: ReadonlyMap<string, string> = new Map([
  ["api-key", "keys"],
  ["api-keys", "keys"],
  ["blocklist", "suppression"],
  ["contact", "visitors"],
  ["contacts", "visitors"],
  ["hook", "webhooks"],
  ["hooks", "webhooks"],
  ["org", "organizations"],
  ["organisation", "organizations"],
  ["organisations", "organizations"],
  ["orgs", "organizations"],
  ["people", "visitors"],
  ["person", "visitors"],
  ["rule", "suppression"],
  ["rules", "suppression"],
  ["site", "pixels"],
  ["sites", "pixels"],
  ["team", "members"],
  ["token", "keys"],
  ["tokens", "keys"],
  ["user", "members"],
  ["users", "members"],
])

/** Synonyms, including the verbs of our own commands. */
const sameWords: ReadonlyArray<ReadonlyArray<string>> = [
  ["list", "ls", "all", "index"],
  ["get", "show", "view", "describe", "info", "read", "inspect"],
  ["create", "add", "new", "make", "connect", "register", "invite"],
  ["update", "edit", "set", "change", "modify", "patch", "rename", "role"],
  ["delete", "remove", "rm", "del", "destroy", "revoke", "disconnect"],
  ["start", "create", "run", "new"],
  ["activate", "start", "enable", "resume"],
  ["pause", "stop", "disable", "deactivate"],
  ["cancel", "stop", "abort", "kill"],
  ["retry", "redeliver", "resend", "replay"],
  ["redeliver", "retry", "resend", "replay"],
  ["test", "ping", "trigger", "send"],
  ["query", "search", "find", "filter"],
  ["search", "query", "find"],
  ["erase", "delete", "remove", "rm", "forget"],
  ["export", "download", "dump"],
  ["rotate-secret", "rotate", "roll"],
  ["deliveries", "logs", "history", "events"],
  ["verify", "check", "validate"],
  ["check", "verify", "test"],
  ["use", "switch", "select"],
]

/** Phrases that the nouns and verbs do not cover. */
export const phrases: ReadonlyMap<string, string> = new Map([
  ["auth", "login"],
  ["auth list", "profiles list"],
  ["auth logout", "logout"],
  ["auth status", "whoami"],
  ["auth token", "keys create"],
  ["auth whoami", "whoami"],
  ["autocomplete", "completion"],
  ["completions", "completion"],
  ["config", "profiles list"],
  ["config create", "profiles create"],
  ["config get", "profiles get"],
  ["config init", "profiles create"],
  ["config set", "profiles update"],
  ["config use", "profiles use"],
  ["configure", "profiles create"],
  ["curl", "api"],
  ["deliveries create", "sync"],
  ["deliveries start", "sync"],
  ["docs", "help"],
  ["export", "visitors export"],
  ["exports download", "runs export"],
  ["health", "doctor"],
  ["imports", "import"],
  ["init", "profiles create"],
  ["log-in", "login"],
  ["log-out", "logout"],
  ["logs", "top"],
  ["man", "help"],
  ["me", "whoami"],
  ["monitor", "top"],
  ["request", "api"],
  ["sign-in", "login"],
  ["sign-out", "logout"],
  ["signin", "login"],
  ["signout", "logout"],
  ["status", "doctor"],
  ["suppress", "suppression add"],
  ["pixels activate", "pixels update"],
  ["pixels disable", "pixels update"],
  ["pixels enable", "pixels update"],
  ["pixels pause", "pixels update"],
  ["pixels resume", "pixels update"],
  ["switch", "profiles use"],
  ["tail", "listen"],
  ["unsuppress", "suppression remove"],
  ["upload", "import"],
  ["watch", "top"],
  ["webhooks activate", "webhooks update"],
  ["webhooks disable", "webhooks update"],
  ["webhooks enable", "webhooks update"],
  ["webhooks listen", "listen"],
  ["webhooks pause", "webhooks update"],
  ["webhooks resume", "webhooks update"],
])
