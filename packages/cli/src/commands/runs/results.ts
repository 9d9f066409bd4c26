// `footfall runs results`: the people a run found, the highest score first.

import type { Page, RunResult, RunResultsMeta } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages, type ListPage } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { addRunArguments } from "./run-id.ts"

/** Adds the command to its group. */
export const addRunsResults = (runs: Command, terminal: Terminal): void => {
  addListOptions(
    addRunArguments(
      runs.command("results").description("list the people a run found, the highest score first"),
    ),
    "people",
  )
    .addHelpText(
      "after",
      examples(
        "footfall runs results 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865",
        "footfall runs results 70865832-8a6e-409c-95c5-d15bafae1a05 efb5aab5-6869-4672-9dc1-601e8732e865 --all --output csv > people.csv",
      ),
    )
    .action(async (audienceId: string, runId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const list = client.runs.results(audienceId, runId).pages()
      const pages = limitedPages(
        output.format === "csv" ? withTopicNames(list) : list,
        rowsMax(options),
      )
      await printList(terminal, output, told(terminal, pages), form)
    })
}

type ResultPage = ListPage<object, RunResultsMeta>

/** Says why there is nobody yet, where the run is not over. */
async function* told(
  terminal: Terminal,
  pages: AsyncIterable<ResultPage>,
): AsyncGenerator<ResultPage, void, undefined> {
  for await (const page of pages) {
    const { status } = page.meta.run
    if (status !== "completed") {
      warnOn(terminal)(`The run is ${status}; there is nobody yet.`)
    }
    yield page
  }
}

/** In CSV a topic is written as its name. Source: spec 2.13. */
async function* withTopicNames(
  pages: AsyncIterable<Page<RunResult, RunResultsMeta>>,
): AsyncGenerator<ResultPage, void, undefined> {
  for await (const { data, meta } of pages) {
    yield {
      data: data.map(({ intent, ...person }) => ({
        ...person,
        intent: {
          ...intent,
          matchedTopics: intent.matchedTopics.map(({ topicName }) => topicName),
        },
      })),
      meta,
    }
  }
}

const form: ListForm<object, RunResultsMeta> = {
  csvColumns: [
    "hashedEmail",
    "firstName",
    "lastName",
    "fullName",
    "email",
    "businessEmail",
    "personalEmail",
    "primaryContactEmail",
    "emailStatus",
    "phone",
    "linkedinUrl",
    "headline",
    "jobTitle",
    "seniority",
    "department",
    "company.name",
    "company.domain",
    "company.industry",
    "company.industryGroup",
    "company.revenueRange",
    "company.size",
    "company.linkedinUrl",
    "geo.city",
    "geo.state",
    "geo.country",
    "demographics.ageRange",
    "demographics.gender",
    "isB2b",
    "intent.score",
    "intent.topicOverlap",
    "intent.matchedTopics",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { RunResultTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/RunResultTable.tsx"),
    ])
    // Only CSV has them in another form.
    const people = data as ReadonlyArray<RunResult>
    return drawn(RunResultTable, { people, meta, screenColumns: columns }, columns)
  },
}
