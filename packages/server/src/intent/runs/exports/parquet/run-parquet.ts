// A run's results as Parquet, generated while they are read (spec 2.13.4, 5.9): one row group at a time, so memory does
// not grow with the rows of a run, except for about 40 KB a group that the end of the file repeats. The file has the
// rows of the API: objects are structs, topics are a list.
import { Context, Effect, Layer, Option, SchemaAST, Stream } from "effect"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import type { CsvRows } from "../../../../platform/database/copied-rows.ts"
import type { DatabaseError } from "../../../../platform/database/database-error.ts"
import { Replica } from "../../../../platform/database/replica.ts"
import { version } from "../../../../version.ts"
import { type ResultDbRow, ResultRow, resultRow } from "../../results/result-row.ts"
import { ResultStore } from "../../results/store.ts"
import { repeats } from "../csv/run-csv.ts"
import type { ExportedRun } from "../store.ts"

// Derives the schema of a Parquet file from the schema of its rows, so each column is defined once (spec 2.13.4).
// Objects become groups and arrays become lists, as in the API's JSON.
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number]

/** Returns the elements of the file's schema, depth first, with its root. Throws for types that no row uses. */
const parquetSchema = (row: SchemaAST.AST): Array<SchemaElement> => {
  const { repetition_type: _, ...root } = group("row", row, "REQUIRED")[0]!
  return [root, ...group("row", row, "REQUIRED").slice(1)]
}

type Repetition = "REQUIRED" | "OPTIONAL"

const group = (name: string, ast: SchemaAST.AST, repetition_type: Repetition) => {
  if (!SchemaAST.isObjects(ast)) throw new Error(`${name} has no type in Parquet: ${ast._tag}`)
  const members = ast.propertySignatures.map((member) => element(String(member.name), member.type))
  const own: SchemaElement = { name, repetition_type, num_children: members.length }
  return [own, ...members.flat()]
}

const element = (name: string, ast: SchemaAST.AST): Array<SchemaElement> => {
  const types = SchemaAST.isUnion(ast) ? flat(ast.types) : [ast]
  const present = types.filter((type) => !SchemaAST.isNull(type))
  const repetition_type = present.length < types.length ? "OPTIONAL" : "REQUIRED"
  const [type] = present
  if (present.every(isText)) {
    const form = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const
    return [{ name, repetition_type, ...form, logical_type: { type: "STRING" } }]
  }
  // The contract's numbers are integers, and Postgres stores them as integers.
  if (present.length === 1 && SchemaAST.isNumber(type!)) {
    return [{ name, repetition_type, type: "INT32" }]
  }
  if (present.length === 1 && SchemaAST.isArrays(type!)) {
    const list = { converted_type: "LIST", logical_type: { type: "LIST" } } as const
    return [
      { name, repetition_type, num_children: 1, ...list },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...element("element", type.rest[0]!),
    ]
  }
  return group(name, type!, repetition_type)
}

const flat = (types: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<SchemaAST.AST> =>
  types.flatMap((type) => (SchemaAST.isUnion(type) ? flat(type.types) : [type]))

const isText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isString(ast) || (SchemaAST.isLiteral(ast) && typeof ast.literal === "string")

/** Rows read and encoded at a time: two megabytes and a tenth of a second of processor time. */
export const groupRows = 4_000

const schema = parquetSchema(ResultRow.ast)
const columns = Object.keys(ResultRow.fields) as ReadonlyArray<keyof ResultRow>

export class RunParquet extends Context.Service<
  RunParquet,
  {
    /** The row groups in the order of the results, then the end of the file, which has no rows. */
    lines(run: ExportedRun): Stream.Stream<CsvRows, DatabaseError>
  }
>()("@footfall/server/runs/RunParquet") {
  static readonly layer = Layer.effect(
    RunParquet,
    Effect.gen(function* () {
      const results = yield* ResultStore
      const replica = yield* Replica
      return RunParquet.of({
        lines: (run) =>
          Stream.suspend(() => {
            const file = new ParquetFile(run)
            const groups = Stream.paginate("0", (after) =>
              replica
                .read(run.organizationId, results.rows(run, { after: [after] }, groupRows))
                .pipe(
                  Effect.retry(repeats),
                  Effect.map((rows) => [
                    rows.length === 0 ? [] : [{ bytes: file.group(rows), rows: rows.length }],
                    rows.length < groupRows
                      ? Option.none()
                      : Option.some(String(rows.at(-1)!.position)),
                  ]),
                ),
            )
            return Stream.concat(
              groups,
              Stream.sync(() => ({ bytes: file.end(), rows: 0 })),
            )
          }),
      })
    }),
  )
}

/** Returns what each step adds to the file. */
class ParquetFile {
  readonly #bytes = new ByteWriter()
  readonly #writer = new ParquetWriter({
    writer: this.#bytes,
    schema,
    createdBy: `footfall version ${version}`,
  })
  readonly #topics

  constructor({ topics }: ExportedRun) {
    this.#topics = new Map(topics.map((topic) => [topic.topicId, topic]))
  }

  group(found: ReadonlyArray<ResultDbRow>): Uint8Array {
    const rows = found.map((row) => resultRow(row, this.#topics))
    const columnData = columns.map((name) => ({
      name,
      data: rows.map((row) => row[name]),
      // Each column of a group is one page.
      offsetIndex: false,
    }))
    void this.#writer.write({ columnData, rowGroupSize: rows.length })
    return this.#taken()
  }

  end(): Uint8Array {
    void this.#writer.finish()
    return this.#taken()
  }

  /** The writer counts offsets itself, and continues at the beginning of its buffer. */
  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    return bytes
  }
}
