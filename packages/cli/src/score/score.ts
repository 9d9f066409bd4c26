// `footfall score`: what people and companies are scored by.

import type { RuleNode, ScoreParams, ScoreSettings } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { usageError } from "../errors/cli-error.ts"
import { factsText } from "../output/print-result.ts"
import { ruleText } from "../segments/rule.ts"
import { withListIds } from "../segments/rule-lists.ts"
import { requireConsent } from "../terminal/consent.ts"
import { givenJson } from "../terminal/given-json.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"

export const scoreCommands = [
  define("show", {
    description: "show what people and companies are scored by",
    fields: "threshold,custom",
    examples: ["footfall score show", "footfall score show --json | jq .data > score.json"],
    credential: "either",
    run: async ({ connect, print, terminal }) => {
      const client = await connect()
      const settings = await client.score.get()
      await print(settings, settingsText(settings, terminal.now))
    },
  }),

  define<{ readonly file: string }>("set", {
    description:
      "Replace what people and companies are scored by. The file is what `score show --json` prints\n" +
      "as `data`. What it leaves out is that of the default. Everyone is scored again.",
    summary: "replace what people and companies are scored by",
    takes: (command) =>
      command.requiredOption(
        "--file <file>",
        "JSON with fit, interest, weights and threshold; `-` for standard input",
      ),
    examples: [
      "footfall score set --file score.json",
      "footfall score show --json | jq '.data | .threshold = 70' | footfall score set --file -",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }) => {
      const given = await givenJson(terminal, options.file, "score")
      const { custom: _, tooSlow: __, ...wanted } = "data" in given ? objectIn(given) : given
      if (Object.keys(wanted).length === 0) {
        throw usageError("The score is empty.", "To restore the default: footfall score reset")
      }
      const client = await connect()
      const idsIn = async (part: unknown) =>
        Array.isArray(part)
          ? Promise.all(
              part.map(async (entry: { readonly rule?: RuleNode }) =>
                entry?.rule === undefined || entry.rule === null
                  ? entry
                  : {
                      ...entry,
                      rule: (await withListIds(client, { version: 1, rule: entry.rule })).rule,
                    },
              ),
            )
          : part
      const settings = await client.score.put({
        ...wanted,
        ...("fit" in wanted ? { fit: await idsIn(wanted.fit) } : {}),
        ...("interest" in wanted ? { interest: await idsIn(wanted.interest) } : {}),
      } as ScoreParams)
      await print(settings, () =>
        lines("Changed the score. Everyone is scored again, those seen last first."),
      )
    },
  }),

  define<{ readonly yes?: true }>("reset", {
    description: "restore the score that Footfall ships with",
    takes: (command) => command.option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall score reset", "footfall score reset --yes"],
    credential: "either",
    run: async ({ connect, options, print, terminal }) => {
      await requireConsent(terminal, {
        what: "Your own score will be replaced by the default.",
        isConfirmed: options.yes === true,
      })
      const client = await connect()
      const settings = await client.score.put({})
      await print(settings, () => lines("Restored the default score."))
    },
  }),
]

const objectIn = ({ data }: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data }
  throw usageError("The score is not a JSON object.")
}

const settingsText = (settings: ScoreSettings, now: Date) =>
  factsText([
    ["score", settings.custom ? "your own" : "the default"],
    ["hot from", String(settings.threshold)],
    ["weights", `fit ${settings.weights.fit}, interest ${settings.weights.interest}`],
    ...settings.fit.map(
      ({ name, points, rule }) =>
        [`fit ${signed(points)}`, `${name}: ${ruleText({ version: 1, rule })}`] as const,
    ),
    ...settings.interest.map(
      ({ halfLifeDays, name, points, rule }) =>
        [
          `interest ${signed(points)}`,
          `${name}: ${ruleText({ version: 1, rule })}, halves in ${halfLifeDays} days`,
        ] as const,
    ),
    ...settings.tooSlow.map(
      ({ at, name }) => ["too slow", `${name}, ${timeAgo(at, now)}: counted nothing`] as const,
    ),
  ])

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points))
