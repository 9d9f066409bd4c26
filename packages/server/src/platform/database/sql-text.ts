// A piece of SQL with its values, independent of any database. The rule compiler returns it, so the compiler can be a
// pure function. The text comes only from templates in our own source; everything from outside is a value and becomes a
// parameter.

import { Statement } from "effect/sql"

export type SqlValue = string | number | boolean | Date | ReadonlyArray<string>

export class SqlText {
  /** One more than there are values; the values go in between. */
  readonly parts: ReadonlyArray<string>
  readonly values: ReadonlyArray<SqlValue>

  constructor(parts: ReadonlyArray<string>, values: ReadonlyArray<SqlValue>) {
    this.parts = parts
    this.values = values
  }

  /** Text without values. */
  static of(text: string): SqlText {
    return new SqlText([text], [])
  }

  static join(pieces: ReadonlyArray<SqlText>, separator: string): SqlText {
    const [first = SqlText.of(""), ...rest] = pieces
    return rest.reduce(
      (all, piece) => all.followedBy(SqlText.of(separator)).followedBy(piece),
      first,
    )
  }

  followedBy(next: SqlText): SqlText {
    const [first = "", ...rest] = next.parts
    return new SqlText(
      [...this.parts.slice(0, -1), `${this.parts.at(-1)}${first}`, ...rest],
      [...this.values, ...next.values],
    )
  }

  /** With numbered placeholders, as Postgres expects. */
  get text(): string {
    return this.parts.reduce((all, part, index) => `${all}$${index}${part}`)
  }
}

/** A template tag: inserts other pieces; everything else becomes a value. */
export const sqlText = (
  strings: TemplateStringsArray,
  ...inserts: ReadonlyArray<SqlText | SqlValue>
): SqlText =>
  inserts.reduce<SqlText>(
    (all, insert, index) => {
      const piece = insert instanceof SqlText ? insert : new SqlText(["", ""], [insert])
      return all.followedBy(piece).followedBy(SqlText.of(strings[index + 1] ?? ""))
    },
    SqlText.of(strings[0] ?? ""),
  )

/** Converts the piece to a fragment of the database client. */
export const fragmentOf = ({ parts, values }: SqlText) =>
  Statement.fragment(
    parts.flatMap((part, index) =>
      index === 0
        ? [Statement.literal(part)]
        : [Statement.parameter(values[index - 1]), Statement.literal(part)],
    ),
  )
