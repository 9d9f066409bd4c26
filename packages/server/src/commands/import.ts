// `footfall-server import`: loads topics, signals, people or identity links from a file or standard input,
// plain or gzipped. Refused rows are listed and stop nothing.
import { Effect, Schema, Stream } from "effect"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { Installation } from "../access/installation.ts"
import { OrganizationNotFound } from "../access/organizations/organizations.ts"
import { importFormats, type ImportFormat } from "../people/import/import-format.ts"
import { ImportKinds, type ImportName } from "../people/import/import-kind.ts"
import { Imports, type ImportResult } from "../people/import/imports.ts"
import { unpacked } from "../people/import/unpacked.ts"
import { showProgress } from "./import-progress.ts"
import { Output } from "./output.ts"

/** The kind by the word for it on the command line. */
export const importedKinds = {
  topics: "topics",
  signals: "signals",
  people: "people",
  links: "identity-links",
} as const satisfies Readonly<Record<string, ImportName>>

export interface ImportOptions {
  readonly what: keyof typeof importedKinds
  /** A path; `-`: standard input. */
  readonly file: string
  readonly format: ImportFormat | undefined
  /** Default: the operator organization. */
  readonly organizationId: string | undefined
  readonly isShared: boolean
  /** Whether someone looks at standard error. */
  readonly hasTerminal: boolean
  readonly standardInput: AsyncIterable<Uint8Array>
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
    return `The name ${this.file} does not tell the format; add --format ${importFormats.join(" or --format ")}.`
  }
}

export class NoOrganization extends Schema.TaggedError<NoOrganization>()("NoOrganization", {}) {
  override get message(): string {
    return "There is no organization yet. Make one: footfall-server init --help"
  }
}

/** An operator at a terminal rather waits than starts again. Units: milliseconds. */
const patienceMs = 3_600_000

export const importFile = Effect.fn("import")(function* (options: ImportOptions) {
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
    onProgress: progress.tell,
    patienceMs,
  })
  yield* Effect.sync(progress.stop)
  const { received, ...counts } = result
  yield* output.result({ read: received, ...counts }, textOf(result))
  return result
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

/** The content, unpacked where it is gzipped; its first two bytes tell. */
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
