// `footfall-server import`: loads topics, signals, people or identity links from a file or standard input, plain or
// gzipped. Rejected rows are listed and do not stop the import.
import { Effect, Schema, Stream } from "effect"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { setFlagsFromString } from "node:v8"
import { Installation } from "../../access/installation.ts"
import { OrganizationNotFound } from "../../access/organizations/organizations.ts"
import { type ImportFormat, importFormats } from "../../people/imports/import-format.ts"
import { ImportKinds } from "../../people/imports/import-kind.ts"
import { type ImportResult, Imports } from "../../people/imports/imports.ts"
import { unpacked } from "../../people/imports/unpacked.ts"
import { importedKinds } from "./imported-kinds.ts"
import { showProgress } from "./import-progress.ts"
import { Output } from "./output.ts"
import { type LoadedTopics, StarterTopics } from "../../intent/topics/starter-topics.ts"

export interface ImportOptions {
  readonly what: keyof typeof importedKinds
  /** A path, or `-` for standard input. */
  readonly file: string
  readonly format: ImportFormat | undefined
  /** Default: the operator organization. */
  readonly organizationId: string | undefined
  readonly isShared: boolean
  /** Whether standard error is a terminal. */
  readonly hasTerminal: boolean
  readonly standardInput: AsyncIterable<Uint8Array>
  /** Called at the end if rows were rejected. */
  readonly onRejected: () => void
}

export class FileUnreadable extends Schema.TaggedError<FileUnreadable>()("FileUnreadable", {
  file: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `${this.file} cannot be read: ${this.reason}`
  }
}

export class FormatUnknown extends Schema.TaggedError<FormatUnknown>()("FormatUnknown", {
  file: Schema.String,
}) {
  override get message(): string {
    return `Can't tell the format from the file name ${this.file}. Add --format ${importFormats.join(" or --format ")}.`
  }
}

export class NoOrganization extends Schema.TaggedError<NoOrganization>()("NoOrganization", {}) {
  override get message(): string {
    return "There is no organization yet. Create one: footfall-server init --help"
  }
}

/** An operator at a terminal would rather wait than start over. Units: milliseconds. */
const patienceMs = 3_600_000

/**
 * V8 doubles the young generation whenever enough has survived in it, which always happens in a long import. That would
 * only add 40 MiB of garbage, and the import would be no faster.
 */
const keepYoungGeneration = Effect.sync(() => setFlagsFromString("--semi-space-growth-factor=1"))

export const importFile = Effect.fn("import")(function* (options: ImportOptions) {
  yield* keepYoungGeneration
  const imports = yield* Imports
  const output = yield* Output
  const format = options.format ?? (yield* formatOf(options.file))
  const kind = (yield* ImportKinds)[importedKinds[options.what]]
  const size = options.file === "-" ? 0 : yield* sizeOf(options.file)
  const progress = yield* showProgress(options.hasTerminal && !output.isJson, size)
  const result = yield* imports.run({
    kind,
    format,
    input: Stream.tap(bytesOf(options), (bytes) => Effect.sync(() => progress.read(bytes.length))),
    organizationId: yield* organizationOf(options.organizationId),
    isShared: options.isShared,
    actor: { type: "operator" },
    onProgress: progress.report,
    patienceMs,
  })
  yield* Effect.sync(progress.stop)
  const { received, ...counts } = result
  yield* output.result({ read: received, ...counts }, textOf(result))
  if (counts.rejectedCount > 0) yield* Effect.sync(options.onRejected)
}, Effect.scoped)

const organizationOf = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) {
    const operator = yield* (yield* Imports).operatorOrganization
    return operator ?? (yield* new NoOrganization())
  }
  const organizations = yield* (yield* Installation).organizations
  if (organizations.some(({ id }) => id === given)) return given
  return yield* new OrganizationNotFound({ organizationId: given })
})

const formatOf = (file: string) => {
  const name = file.toLowerCase().replace(/\.gz$/, "")
  if (name.endsWith(".csv")) return Effect.succeed("csv" as const)
  return /\.(ndjson|jsonl)$/.test(name)
    ? Effect.succeed("ndjson" as const)
    : Effect.fail(new FormatUnknown({ file }))
}

const unreadable = (file: string) => (error: unknown) =>
  new FileUnreadable({ file, reason: error instanceof Error ? error.message : String(error) })

const sizeOf = (file: string) =>
  Effect.tryPromise({ try: async () => (await stat(file)).size, catch: unreadable(file) })

/** The content, unzipped if its first two bytes say gzip. */
const bytesOf = ({ file, standardInput }: ImportOptions) =>
  Stream.fromAsyncIterable(
    unpacked(file === "-" ? standardInput : createReadStream(file, { highWaterMark: 262_144 })),
    unreadable(file),
  )

const textOf = (result: ImportResult): string =>
  [
    `${result.received} rows: ${result.inserted} inserted, ${result.updated} updated, ` +
      `${result.unchanged} unchanged, ${result.rejectedCount} rejected`,
    ...result.rejected.map(
      ({ field, reason, row }) => `  row ${row}: ${reason}${field === null ? "" : ` (${field})`}`,
    ),
    ...(result.rejectedCount > result.rejected.length
      ? [`  and ${result.rejectedCount - result.rejected.length} more`]
      : []),
  ].join("\n")

/**
 * `footfall-server starter-topics`: loads the starter catalog into an existing installation, as `init` offers to.
 */
export const loadStarterTopics = Effect.fn("loadStarterTopics")(function* () {
  const starter = yield* StarterTopics
  const output = yield* Output
  const organizationId = yield* (yield* Imports).operatorOrganization
  if (organizationId === undefined) return yield* new NoOrganization()
  const loaded = yield* starter.load(organizationId)
  yield* output.result(loaded, loadedText(loaded))
})

const loadedText = ({ inserted, leftOut, unchanged, updated }: LoadedTopics): string =>
  [
    `Starter topics: ${inserted} added, ${updated} updated, ${unchanged} unchanged.`,
    ...(leftOut === 0
      ? []
      : [`${leftOut} skipped: the catalog has other topics with the same ids.`]),
    "",
    "Next: footfall pixels suggest-topics <domain>",
  ].join("\n")
