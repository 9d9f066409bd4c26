// The query of an endpoint that takes no parameters. An empty list of fields would accept any, as
// the type `{}` does; this refuses each one by its name (spec 1.4, Unknown query parameter).
import { Schema } from "effect"

export const noParameters = Schema.Record(Schema.String, Schema.Never)
