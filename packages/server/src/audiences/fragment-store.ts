// A piece of text with its values as a part of a statement of the database client.
import { Statement } from "effect/sql"
import type { SqlText } from "../visitors/query/sql-text.ts"

export const fragmentOf = ({ parts, values }: SqlText) =>
  Statement.fragment(
    parts.flatMap((part, index) =>
      index === 0
        ? [Statement.literal(part)]
        : [Statement.parameter(values[index - 1]), Statement.literal(part)],
    ),
  )
