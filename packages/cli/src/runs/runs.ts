// `footfall runs`: the people in an audience on a given day.

import type {
  AdFormat,
  ExportType,
  Footfall,
  Page,
  Run,
  RunResult,
  RunResultsMeta,
  RunStatus,
} from "@footfall/sdk"
import { Option } from "commander"
import { existsSync } from "node:fs"
import { define } from "../command/define.ts"
import { addRunArguments, audienceId } from "../command/ids.ts"
import { exportTypes } from "../exports/exports.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import type { ListPage } from "../output/limited-pages.ts"
import { outputOf } from "../output/output-format.ts"
import { printResult, view } from "../output/print-result.ts"
import { showProgress, showWork } from "../terminal/work.ts"
import { seeCommand } from "../terminal/see-command.ts"
import { lines, type Terminal, warnOn, writeOut, writeSafe } from "../terminal/terminal.ts"
import { resultList, runList } from "./lists.ts"

/** What a file can be: the formats of the results, and those of the ad platforms. */
type FileFormat = ExportType | AdFormat

const adFormats = [
  "meta",
  "google",
  "linkedin",
  "tiktok",
  "x",
] as const satisfies ReadonlyArray<AdFormat>

interface ExportOptions {
  readonly format?: FileFormat
  readonly raw?: true
  readonly overwrite?: true
}

/** What to export, and how. */
interface RunExport {
  readonly audienceId: string
  readonly runId: string
  readonly format: FileFormat
  readonly raw: boolean
  readonly signal: AbortSignal
}

interface RunsListOptions extends ListOptions {
  readonly status?: RunStatus
}

const statuses = [
  "queued",
  "running",
  "completed",
  "failed",
  "cancelled",
] satisfies ReadonlyArray<RunStatus>

type ResultPage = ListPage<RunResult, RunResultsMeta>

interface StartOptions {
  readonly idempotencyKey?: string
  readonly wait: boolean
}

export const runCommands = [
  define<StartOptions, [id: string]>("start", {
    description: "find the people in an audience now, and wait for the run to finish",
    takes: (command) =>
      command
        .argument("<audience-id>", "id or name of an active audience", audienceId)
        .option("--idempotency-key <key>", "sending the same key again returns the same run")
        .option("--no-wait", "do not wait for the run to finish"),
    examples: [
      "footfall runs start 'Warehouse buyers'",
      "footfall runs start 'Warehouse buyers' --idempotency-key monday --json",
      "footfall runs start 'Warehouse buyers' --no-wait --json | jq -r .data.id",
    ],
    credential: "either",
    run: async ({ connect, options, terminal }, id) => {
      const client = await connect()

      const started = await client.runs.start(id, { idempotencyKey: options.idempotencyKey })
      const run = options.wait
        ? await watched(terminal, started, (onLook) => client.runs.wait(started, { onLook }))
        : started

      await printRun(terminal, options, run)
      if (run.status === "failed" || run.status === "cancelled") terminal.endWith(ExitCode.failed)
    },
  }),

  define<RunsListOptions, [id: string]>("list", {
    description: "list the runs of an audience, newest first",
    takes: (command) =>
      addListOptions(
        command
          .argument("<audience-id>", "id or name of the audience", audienceId)
          .addOption(new Option("--status <status>", "only with this status").choices(statuses)),
        "runs",
      ),
    fields: "id,status,resultCount",
    examples: [
      "footfall runs list 'Warehouse buyers'",
      "footfall runs list 'Warehouse buyers' --status failed --json",
    ],
    credential: "either",
    run: async ({ connect, options, printList }, id) => {
      const client = await connect()
      await printList(client.runs.list(id, { status: options.status }), runList)
    },
  }),

  define<object, [audienceId: string, runId: string]>("get", {
    description: "show one run",
    takes: (command) => addRunArguments(command),
    fields: "status,resultCount",
    examples: ["footfall runs get 'Warehouse buyers' latest"],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, runId) => {
      const client = await connect()
      await printRun(terminal, options, await client.runs.get(audienceId, runId))
    },
  }),

  define<object, [audienceId: string, runId: string]>("cancel", {
    description: "cancel a queued run",
    takes: (command) => addRunArguments(command),
    examples: ["footfall runs cancel 'Warehouse buyers' efb5aab5-6869-4672-9dc1-601e8732e865"],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, runId) => {
      const client = await connect()
      await printRun(terminal, options, await client.runs.cancel(audienceId, runId))
    },
  }),

  define<object, [audienceId: string, runId: string]>("stats", {
    description: "show the scores in a run, and how many people have each value",
    takes: (command) => addRunArguments(command),
    fields: "stats.averages",
    examples: [
      "footfall runs stats 'Warehouse buyers' latest",
      "footfall runs stats 'Warehouse buyers' latest --json | jq .data.stats.averages",
    ],
    credential: "either",
    run: async ({ connect, print }, audienceId, runId) => {
      const client = await connect()

      const answer = await client.runs.stats(audienceId, runId)

      await print(
        answer,
        view(async () => (await import("./views.tsx")).RunStatisticsView, { ...answer }),
      )
    },
  }),

  define<ListOptions, [audienceId: string, runId: string]>("results", {
    description: "list the people in a run, highest score first",
    takes: (command) => addListOptions(addRunArguments(command), "people"),
    fields: "email,intent.score",
    examples: [
      "footfall runs results 'Warehouse buyers' latest",
      "footfall runs results 'Warehouse buyers' latest --all --output csv > people.csv",
    ],
    credential: "either",
    run: async ({ connect, options, printList, terminal }, audienceId, runId) => {
      const client = await connect()
      const list = client.runs.results(audienceId, runId).pages()
      const isCsv = outputOf(options, terminal).format === "csv"
      const pages = () => warnIfUnfinished(terminal, isCsv ? withTopicNames(list) : list)
      await printList({ pages }, resultList)
    },
  }),

  define<ExportOptions, [audienceId: string, runId: string, file: string]>("export", {
    description:
      "Write the people in a completed run to a CSV or Parquet file, highest score first. The file\n" +
      "appears when it is complete. A CSV cell that a spreadsheet could read as a formula starts with\n" +
      "an apostrophe. A Parquet file keeps every value as it is, for DuckDB, pandas or Spark. With\n" +
      "`--format meta`, `google`, `linkedin`, `tiktok` or `x` you get the file that the ad platform's\n" +
      "customer list takes: hashed by its rules, without people who are suppressed now.",
    summary: "write the people in a run to a file",
    takes: (command) =>
      addRunArguments(command)
        .argument("<file>", "file to write, or `-` for standard output")
        .addOption(
          new Option(
            "--format <format>",
            "format of the file (default: from the file name, else csv)",
          ).choices([...exportTypes, ...adFormats]),
        )
        .option("--raw", "leave such cells of a CSV file unchanged, for use by programs")
        .option("--overwrite", "replace the file if it exists"),
    examples: [
      "footfall runs export 'Warehouse buyers' latest buyers.csv",
      "footfall runs export 'Warehouse buyers' latest buyers.parquet",
      "footfall runs export 'Warehouse buyers' latest buyers-meta.csv --format meta",
      "footfall runs export 'Warehouse buyers' latest - --raw | gzip > buyers.csv.gz",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, audienceId, runId, file) => {
      if (file !== "-" && !options.overwrite && existsSync(file)) {
        throw usageError(`File already exists: ${file}`, "Add --overwrite to replace it.")
      }
      const format = options.format ?? (file.endsWith(".parquet") ? "parquet" : "csv")
      if (format !== "csv" && options.raw) {
        throw usageError(
          "--raw is only for CSV.",
          format === "parquet"
            ? "A Parquet file keeps every value as it is."
            : "The ad platform decides how the file is written.",
        )
      }
      if (format === "parquet" && file === "-" && terminal.stdout.isTTY) {
        throw usageError(
          "A Parquet file is binary, so it is not written to a terminal.",
          "Name a file, or redirect the output.",
        )
      }
      const client = await connect()
      const interrupt = new AbortController()
      const onInterrupt = () => interrupt.abort()
      terminal.atInterrupt.add(onInterrupt)
      const raw = options.raw === true
      const request = { audienceId, runId, format, raw, signal: interrupt.signal }
      try {
        if (file === "-") return await toStdout(terminal, client, request)
        const bytes = await toFile(terminal, client, request, file)
        const { counted, sizeText } = await import("../ui/text.ts")
        if (isForAds(format)) {
          // The server leaves out who is suppressed, and doesn't count them.
          await print({ file, bytes }, () => lines(`The file is ${file} (${sizeText(bytes)}).`))
        } else {
          const { resultCount } = await client.runs.get(audienceId, runId)
          await print({ file, rows: resultCount, bytes }, () =>
            lines(`${counted(resultCount, "person", "people")} in ${file} (${sizeText(bytes)}).`),
          )
        }
      } finally {
        terminal.atInterrupt.delete(onInterrupt)
      }
    },
  }),
]

const printRun = (terminal: Terminal, options: GlobalOptions, run: Run): Promise<void> =>
  printResult(terminal, options, run, async (columns) => {
    const [{ drawn }, { RunView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    const props = { run, now: terminal.now, screenColumns: columns }
    return drawn(RunView, props, columns) + figuresHint(run, columns)
  })

const figuresHint = ({ audienceId, id, status }: Run, columns: number): string =>
  status === "completed"
    ? `\n${seeCommand(`footfall runs stats ${audienceId} ${id}`, columns)}`
    : ""

const isForAds = (format: FileFormat): format is AdFormat =>
  (adFormats as ReadonlyArray<string>).includes(format)

const streamOf = (client: Footfall, { audienceId, format, raw, runId, signal }: RunExport) => {
  if (isForAds(format)) return client.runs.exportForAds(audienceId, runId, format, { signal })
  return format === "csv"
    ? client.runs.exportCsv(audienceId, runId, { raw }, { signal })
    : client.runs.exportParquet(audienceId, runId, { signal })
}

const toStdout = async (
  terminal: Terminal,
  client: Footfall,
  request: RunExport,
): Promise<void> => {
  const decoder = new TextDecoder()
  for await (const chunk of await streamOf(client, request)) {
    const isShown = terminal.stdout.isTTY
    await (isShown
      ? writeSafe(terminal, decoder.decode(chunk, { stream: true }))
      : writeOut(terminal, chunk))
  }
}

/** The number of rows is known in advance, the number of bytes is not. */
const toFile = async (
  terminal: Terminal,
  client: Footfall,
  request: RunExport,
  file: string,
): Promise<number> => {
  const { sizeText } = await import("../ui/text.ts")
  let bytes = 0
  const progress = await showProgress(terminal, () => ({
    title: `Exporting to ${file}`,
    fraction: null,
    figures: [sizeText(bytes)],
    waitText: null,
  }))
  try {
    return await (
      await streamOf(client, request)
    ).toFile(file, (written) => {
      bytes = written
      progress.update()
    })
  } finally {
    progress.end()
  }
}

/** Warns that there are no people yet if the run is not completed. */
async function* warnIfUnfinished(
  terminal: Terminal,
  pages: AsyncIterable<ResultPage>,
): AsyncGenerator<ResultPage, void, undefined> {
  for await (const page of pages) {
    const { status } = page.meta.run
    if (status !== "completed") {
      warnOn(terminal)(`The run is ${status}; there are no people yet.`)
    }
    yield page
  }
}

/** CSV shows topics by name. Source: spec 2.13. */
async function* withTopicNames(
  pages: AsyncIterable<Page<RunResult, RunResultsMeta>>,
): AsyncGenerator<ResultPage, void, undefined> {
  for await (const { data, meta } of pages) {
    yield {
      data: data.map((person) => {
        if (person.intent === null) return person
        const names = person.intent.matchedTopics.map(({ topicName }) => topicName)
        // The result is only printed, so names may replace the topics.
        return {
          ...person,
          intent: { ...person.intent, matchedTopics: names },
        } as object as RunResult
      }),
      meta,
    }
  }
}

/** Shows the progress until the run ends. */
const watched = async (
  terminal: Terminal,
  started: Run,
  wait: (onLook: (run: Run) => void) => Promise<Run>,
): Promise<Run> => {
  const { runFigures, runFraction } = await import("./words.ts")
  let present = started
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Run on data from ${present.dataDate}`,
      fraction: runFraction(present),
      figures: runFigures(present, elapsedMs),
    }),
    () =>
      `The run continues on the server. See: footfall runs get ${started.audienceId} ${started.id}`,
  )
  try {
    return await wait((run) => {
      present = run
      work.update()
    })
  } finally {
    work.end()
  }
}
