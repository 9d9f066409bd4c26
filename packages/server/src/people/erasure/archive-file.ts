// The archive of a person (spec 5.1.12): a ZIP file with one file per kind of data, and a manifest. Rows are read page by
// page, and only what is compressed stays in memory.
import { DateTime, Effect } from "effect"
import type { Author } from "../../access/audit/store.ts"
import type { EventPosition, ListedEvent, SessionSpan } from "../archive/session-events.ts"
import type { KeptRow } from "./kept-store.ts"
import { ZipWriter } from "./zip.ts"

export interface ArchiveRequest extends Author {
  /** SHA-256 of any of the person's addresses. */
  readonly emailHash: string
}

/** Rows in memory at a time. */
const pageRows = 1_000

/** Kinds with many rows are tables. */
const tables = new Set(["archived_events", "events", "sessions", "waiting_events"])

type Rows = ReadonlyArray<KeptRow["row"]>

interface PersonArchive {
  /** Adds a file, unless it would be empty. `next`: the rows after the page before, none at the end. */
  add<E>(kind: string, next: () => Effect.Effect<Rows, E>): Effect.Effect<void, E>
  /** The whole file, with its manifest. */
  end(request: ArchiveRequest): Effect.Effect<Uint8Array>
}

/** Collects the files of an archive. */
export const personArchive = (): PersonArchive => {
  const zip = new ZipWriter()
  const files: Array<{ readonly name: string; readonly rows: number }> = []

  const add: PersonArchive["add"] = Effect.fnUntraced(function* <E>(
    kind: string,
    next: () => Effect.Effect<Rows, E>,
  ) {
    let rows = yield* next()
    if (rows.length === 0) return
    const isTable = tables.has(kind)
    const name = `${kind}.${isTable ? "csv" : "json"}`
    const file = zip.file(name)
    const columns = Object.keys(rows[0]!)
    let count = 0
    yield* Effect.promise(() => file.write(isTable ? `${columns.join()}\r\n` : "["))
    while (rows.length > 0) {
      const text = isTable
        ? rows.map((row) => csvLine(columns, row)).join("")
        : `${count === 0 ? "" : ","}\n${rows.map((row) => JSON.stringify(row)).join(",\n")}`
      yield* Effect.promise(() => file.write(text))
      count += rows.length
      rows = yield* next()
    }
    yield* Effect.promise(async () => {
      if (!isTable) await file.write("\n]\n")
      await file.end()
    })
    files.push({ name, rows: count })
  })

  const end: PersonArchive["end"] = Effect.fnUntraced(function* ({
    actor,
    emailHash,
    organizationId,
  }: ArchiveRequest) {
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const manifest = { createdAt, organizationId, emailHash, requestedBy: actor, files }
    yield* Effect.promise(async () => {
      const file = zip.file("manifest.json")
      await file.write(`${JSON.stringify(manifest, null, 2)}\n`)
      await file.end()
    })
    return zip.end()
  })

  return { add, end }
}

/** A single page. */
export const pageOf = (rows: ReadonlyArray<object>) => {
  let left: Rows = rows.map((row) => ({ ...row }))
  return () =>
    Effect.sync(() => {
      const page = left
      left = []
      return page
    })
}

/** The rows of a kind, page by page. `next`: those after the page before, fewer than `limit` at the end. */
export const pagesOf = <E>(next: (limit: number) => Effect.Effect<ReadonlyArray<KeptRow>, E>) => {
  let isRead = false
  return Effect.fnUntraced(function* (): Effect.fn.Return<Rows, E> {
    if (isRead) return []
    const rows: ReadonlyArray<KeptRow> = yield* next(pageRows)
    isRead = rows.length < pageRows
    return rows.map(({ row }) => row)
  })
}

/** The events of sessions in ClickHouse, page by page. `listed`: those of a session after one, in order. */
export const archivedPages = <E>(
  sessions: ReadonlyArray<SessionSpan>,
  listed: (
    session: SessionSpan,
    after: EventPosition | undefined,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<ListedEvent>, E>,
) => {
  let place = 0
  let after: EventPosition | undefined
  return Effect.fnUntraced(function* (): Effect.fn.Return<Rows, E> {
    while (place < sessions.length) {
      const session = sessions[place]!
      const events: ReadonlyArray<ListedEvent> = yield* listed(session, after, pageRows)
      after = events.length < pageRows ? undefined : events.at(-1)
      if (after === undefined) place += 1
      if (events.length > 0) {
        return events.map((event) => ({ session_id: session.sessionId, ...event }))
      }
    }
    return []
  })
}

const csvLine = (columns: ReadonlyArray<string>, row: KeptRow["row"]): string => {
  const values = new Map(Object.entries(row))
  return `${columns.map((column) => csvCell(values.get(column))).join()}\r\n`
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
