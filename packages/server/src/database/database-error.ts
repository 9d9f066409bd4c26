// What a statement fails with, for the rooms that name it in their types: they know no more of SQL.
import type { SqlError } from "effect/sql"

export type DatabaseError = SqlError.SqlError
