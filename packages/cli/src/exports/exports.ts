// `footfall exports`: files on the server with the people of a run.

import type { Export, ExportType, ExportWithLink, Footfall, ListMeta } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import { addRunArguments } from "../command/ids.ts"
import { addListOptions } from "../command/list-options.ts"
import { latest } from "../command/latest.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { printResult } from "../output/print-result.ts"
import { lines, type Terminal } from "../terminal/terminal.ts"
import { showWork } from "../terminal/work.ts"
import { countText, sizeText, timeAgo } from "../ui/text.ts"

/** Parses an export's id or `latest`. Errors: InvalidArgumentError. */
const exportId = latest(
  "an export",
  "footfall exports list <audience-id> <run-id>",
  (client, [audience = "", run = ""]) => client.exports.list(audience, run, { limit: 1 }),
  ([audience, run]) => [
    "This run has no exports.",
    `Run: footfall exports create ${audience} ${run}`,
  ],
)

interface CreateOptions {
  readonly format: ExportType
  readonly wait: boolean
}

const EXAMPLE = "'Warehouse buyers' latest latest"

export const exportCommands = [
  define<object, [audienceId: string, runId: string]>("list", {
    description: "list the exports of a run, newest first",
    takes: (command) => addListOptions(addRunArguments(command), "exports"),
    fields: "id,status,rowCount",
    examples: [
      "footfall exports list 'Warehouse buyers' latest",
      "footfall exports list 'Warehouse buyers' latest --json",
    ],
    credential: "either",
    run: async ({ connect, printList }, audienceId, runId) => {
      const client = await connect()
      await printList(client.exports.list(audienceId, runId), exportList)
    },
  }),

  define<object, [audienceId: string, runId: string, id: string]>("get", {
    description:
      "Show one export, with a new link to its file. The link works for 24 hours and needs no\n" +
      "credentials: anyone who has it can read the file.",
    summary: "show one export, with a new link to its file",
    takes: (command) => addExportArguments(command),
    fields: "export.status,downloadUrl",
    examples: [
      `footfall exports get ${EXAMPLE}`,
      `footfall exports get ${EXAMPLE} --json | jq -r .data.downloadUrl | xargs curl -o people.csv`,
    ],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, runId, id) => {
      const client = await connect()
      await printExport(terminal, options, await client.exports.get(audienceId, runId, id))
    },
  }),

  define<CreateOptions, [audienceId: string, runId: string]>("create", {
    description:
      "Write the people in a completed run to a file on the server, and wait for it to finish. If the\n" +
      "run already has an export in that format, you get that one. The server keeps the file for 7\n" +
      "days. To write a file on this computer, use `footfall runs export`.",
    summary: "write the people in a run to a file on the server",
    takes: (command) =>
      addRunArguments(command)
        .addOption(
          new Option("--format <format>", "format of the file").choices(exportTypes).default("csv"),
        )
        .option("--no-wait", "do not wait for the export to finish"),
    examples: [
      "footfall exports create 'Warehouse buyers' latest",
      "footfall exports create 'Warehouse buyers' latest --format parquet",
      "footfall exports create 'Warehouse buyers' latest --no-wait --json | jq -r .data.export.id",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, terminal }, audienceId, runId) => {
      const client = await connect()

      const params = { exportType: options.format }
      const begun = await client.exports.create(audienceId, runId, params, creation)
      const isWaitedFor = options.wait && begun.export.status === "processing"
      const result = isWaitedFor ? await watched(terminal, client, begun) : begun

      await printExport(terminal, options, result)
      if (result.export.status === "failed") terminal.endWith(ExitCode.failed)
    },
  }),
]

/** Adds `<audience-id>`, `<run-id>` and `<export-id>`. */
const addExportArguments = (command: Command): Command =>
  addRunArguments(command).argument("<export-id>", "id of the export, or `latest`", exportId)

const printExport = (
  terminal: Terminal,
  options: GlobalOptions,
  result: ExportWithLink,
): Promise<void> =>
  printResult(terminal, options, result, async (columns) => {
    const [{ drawn }, { ExportView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    return (
      drawn(ExportView, { result, now: terminal.now, screenColumns: columns }, columns) +
      linkText(result)
    )
  })

/** Always on one line, so that people can copy it. */
const linkText = ({ downloadUrl }: ExportWithLink): string =>
  downloadUrl === null ? "" : lines("", downloadUrl)

/** The server does not report the progress. */
const watched = async (
  terminal: Terminal,
  client: Footfall,
  { export: begun }: ExportWithLink,
): Promise<ExportWithLink> => {
  const { duration } = await import("../ui/text.ts")
  const { audienceId, id, runId } = begun
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Export to ${begun.fileName}`,
      fraction: null,
      figures: [duration(Math.floor(elapsedMs / 1000))],
    }),
    () =>
      `The export continues on the server. See: footfall exports get ${audienceId} ${runId} ${id}`,
  )
  try {
    return await client.exports.wait(begun, { onLook: () => work.update() })
  } finally {
    work.end()
  }
}

export const exportList = listForm<Export, ListMeta>({
  csvColumns: [
    "id",
    "exportType",
    "status",
    "contentType",
    "byteSize",
    "rowCount",
    "fileName",
    "contentSha256",
    "errorCode",
    "errorMessage",
    "requestedBy",
    "completedAt",
    "expiresAt",
    "createdAt",
    "updatedAt",
  ],
  nouns: ["export", "exports"],
  empty: {
    message: "There are no exports of this run yet.",
    next: "Run: footfall exports create <audience-id> <run-id>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Status", cell: ({ status }) => status, widthMin: 9 },
    {
      title: "People",
      cell: ({ rowCount }) => (rowCount === null ? "" : countText(rowCount)),
      align: "right",
      dropRank: 2,
    },
    {
      title: "Size",
      cell: ({ byteSize }) => (byteSize === null ? "" : sizeText(byteSize)),
      align: "right",
      dropRank: 3,
    },
    { title: "File", cell: ({ fileName }) => fileName, widthMin: 12, widthKept: 16, dropRank: 4 },
    {
      title: "Created",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
  isDim: ({ status }) => status === "expired",
})

/** The formats of a file with the people of a run, as `--format` takes them. */
export const exportTypes = ["csv", "parquet"] satisfies ReadonlyArray<ExportType>
