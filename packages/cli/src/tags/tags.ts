// `footfall tags`: the tags that people and companies have.

import type { CountedTag } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { listForm } from "../output/print-list.ts"
import { plainText } from "../terminal/terminal.ts"
import { countText } from "../ui/text.ts"

interface TagsOptions extends ListOptions {
  readonly of: "people" | "companies"
}

export const tagsCommand = define<TagsOptions>("tags", {
  description: "list the tags of people or companies, and how many have each",
  takes: (command) =>
    addWholeListOptions(
      command.addOption(
        new Option("--of <subject>", "whose tags")
          .choices(["people", "companies"])
          .default("people"),
      ),
      "tags",
    ),
  fields: "tag,count",
  examples: ["footfall tags", "footfall tags --of companies --json"],
  credential: "either",
  run: async ({ connect, options, printWhole }) => {
    const client = await connect()
    await printWhole(await client.tags.list({ subject: options.of }), tagList)
  },
})

const tagList = listForm<CountedTag>({
  csvColumns: ["tag", "count"],
  nouns: ["tag", "tags"],
  empty: {
    message: "There are no tags yet.",
    next: "Run: footfall visitors tag <visitor> <tag>",
  },
  columns: () => [
    { title: "Tag", cell: ({ tag }) => plainText(tag), widthMin: 10, widthKept: 20 },
    { title: "Count", cell: ({ count }) => countText(count), align: "right" },
  ],
})
