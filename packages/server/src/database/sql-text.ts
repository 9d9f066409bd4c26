// A piece of a statement with its values, before any database has seen it: what the rule compiler
// makes, so that it can be a pure function. Text comes from the templates of our own source alone;
// whatever came from outside is a value and becomes a parameter.

import { Statement } from "effect/sql"

export type SqlValue = string | number | boolean | Date | ReadonlyArray<string>

export class SqlText {
  /** One more than the values: they stand between. */
  readonly parts: ReadonlyArray<string>
  readonly values: ReadonlyArray<SqlValue>

  constructor(parts: ReadonlyArray<string>, values: ReadonlyArray<SqlValue>) {
    this.parts = parts
    this.values = values
  }

  /** A text without values. */
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

  /** With numbered placeholders, as Postgres reads it. */
  get text(): string {
    return this.parts.reduce((all, part, index) => `${all}$${index}${part}`)
  }
}

/** Template of a piece: other pieces are put in, everything else becomes a value. */
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

/** The same as a part of a statement of the database client. */
export const fragmentOf = ({ parts, values }: SqlText) =>
  Statement.fragment(
    parts.flatMap((part, index) =>
      index === 0
        ? [Statement.literal(part)]
        : [Statement.parameter(values[index - 1]), Statement.literal(part)],
    ),
  )
