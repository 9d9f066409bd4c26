// `footfall segments`: saved rules that select people or companies.

import type { ListMeta, Segment, SegmentPreviewParams } from "@footfall/sdk"
import { Option } from "commander"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { pixelId, segmentId } from "../command/ids.ts"
import { addListOptions } from "../command/list-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { view } from "../output/print-result.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"
import {
  addRuleOptions,
  givenRule,
  requiredRule,
  type RuleOptions,
  ruleText,
  windowOption,
  withNodeShown,
} from "./rule.ts"
import { withListIds } from "./rule-lists.ts"

interface CreateOptions extends RuleOptions {
  readonly description?: string
  readonly subject?: Segment["subject"]
}

interface PreviewOptions extends RuleOptions {
  readonly subject?: Segment["subject"]
  readonly segment?: string
  readonly pixel?: string
}

interface UpdateOptions extends RuleOptions {
  readonly name?: string
  readonly description?: string
}

const subjectOption = (): Option =>
  new Option("--subject <subject>", "what the rule selects (default: people)").choices([
    "people",
    "companies",
  ])

export const segmentCommands = [
  define("list", {
    description: "list the saved segments, newest first",
    takes: (command) => addListOptions(command, "segments"),
    fields: "id,name",
    examples: ["footfall segments list", "footfall segments list --all --json"],
    credential: "either",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.segments.list(), segmentList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one segment",
    takes: (command) => command.argument("<id>", "id or name of the segment", segmentId),
    fields: "name,ruleAst",
    examples: [
      "footfall segments get Buyers",
      "footfall segments get Buyers --json | jq .data.ruleAst > rule.json",
    ],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()
      const segment = await client.segments.get(id)
      await print(
        segment,
        view(async () => (await import("./views.tsx")).SegmentView, { segment }),
      )
    },
  }),

  define<CreateOptions, [name: string]>("create", {
    description: "create a segment from a rule",
    takes: (command) =>
      addRuleOptions(
        command
          .argument("<name>", "name of the segment")
          .option("--description <text>", "description"),
      )
        .addOption(windowOption())
        .addOption(subjectOption()),
    examples: [
      "footfall segments create 'Pricing, this week' --where 'behavior.pricing_page_views gte 1' --window 7d",
      "footfall segments create 'Hot accounts' --subject companies --where 'score.total gte 60'",
      "footfall segments create Buyers --rule rule.json",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print, terminal }, name) => {
      const given = await requiredRule(terminal, options)
      const client = await connect()
      const ruleAst = await withListIds(client, given)

      const { description, subject } = options
      const segment = await withNodeShown(ruleAst, () =>
        client.segments.create({ name, description, subject, ruleAst }, creation),
      )
      const noun = segment.subject === "companies" ? "companies" : "visitors"

      await print(segment, () =>
        lines(
          `Created segment ${segment.name}: ${segment.id}`,
          `To list its ${noun}: footfall ${noun} query --segment ${segment.id}`,
        ),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description: "change the name, description or rule of a segment",
    takes: (command) =>
      addRuleOptions(
        command
          .argument("<id>", "id or name of the segment", segmentId)
          .option("--name <name>", "new name")
          .option("--description <text>", "new description (empty to remove it)"),
      ).addOption(windowOption()),
    examples: [
      "footfall segments update 'Pricing, this week' --name Buyers",
      "footfall segments update Buyers --rule rule.json",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const { name, description } = options
      const given = await givenRule(terminal, options)
      if (name === undefined && description === undefined && given === null) {
        throw usageError("Nothing to update.", "Add --name, --description or a rule.")
      }
      const client = await connect()
      const ruleAst = given === null ? null : await withListIds(client, given)

      const segment = await withNodeShown(ruleAst, () =>
        client.segments.update(id, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description: description || null }),
          ...(ruleAst === null ? {} : { ruleAst }),
        }),
      )

      await print(segment, () => lines(`Updated segment ${segment.name}.`))
    },
  }),

  defineDelete({
    description: "delete a segment, but not who is in it",
    id: ["id or name of the segment", segmentId],
    example: "footfall segments delete Buyers",
    credential: "either",
    warning: (id) => `Segment ${id} will be deleted.`,
    run: ({ segments }, id) => segments.delete(id),
    done: (id) => `Deleted segment ${id}.`,
  }),

  define<PreviewOptions>("preview", {
    description: "count the visitors or companies a rule matches, and show a sample",
    takes: (command) =>
      addRuleOptions(command)
        .addOption(windowOption())
        .addOption(
          new Option("--segment <segment>", "the rule of a saved segment")
            .argParser(segmentId)
            .conflicts(["rule", "where", "any", "window", "subject"]),
        )
        .addOption(subjectOption())
        .addOption(new Option("--pixel <pixel>", "only this pixel").argParser(pixelId)),
    fields: "count",
    examples: [
      "footfall segments preview --where 'company.employee_count between 50,500'",
      "footfall segments preview --rule rule.json --json | jq .data.count",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }) => {
      const { segment } = options
      const given = segment === undefined ? await requiredRule(terminal, options) : null
      const client = await connect()
      const rule: Pick<SegmentPreviewParams, "ruleAst" | "subject"> =
        given === null
          ? await client.segments.get(segment ?? "")
          : { ruleAst: await withListIds(client, given), subject: options.subject }
      const { ruleAst, subject } = rule

      const result = await withNodeShown(ruleAst, () =>
        client.segments.preview({ ruleAst, subject, pixelId: options.pixel }),
      )

      await print(
        result,
        view(async () => (await import("./views.tsx")).SegmentPreviewView, {
          preview: result,
          subject: subject ?? "people",
          now: terminal.now,
        }),
      )
    },
  }),
]

export const segmentList = listForm<Segment, ListMeta>({
  csvColumns: [
    "id",
    "name",
    "description",
    "subject",
    "ruleAst",
    "createdBy",
    "createdAt",
    "updatedAt",
  ],
  nouns: ["segment", "segments"],
  empty: {
    message: "There are no segments yet.",
    next: "Run: footfall segments create <name> --where <predicate>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
    { title: "Contains", cell: ({ subject }) => subject, dropRank: 1 },
    { title: "Matches", cell: ({ ruleAst }) => ruleText(ruleAst), widthMin: 16, dropRank: 3 },
    {
      title: "Updated",
      cell: ({ updatedAt }) => timeAgo(updatedAt, now),
      align: "right",
      dropRank: 2,
    },
  ],
})
