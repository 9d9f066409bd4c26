// The body of a request that says nothing: `{}`. An empty list of fields would accept any, as the type
// `{}` does; this refuses each one by its name. With BodyOptional no body at all is as good
// (spec 1.4.12: requests marked "–").
import { Schema } from "effect"

export const noFields = Schema.Record(Schema.String, Schema.Never)
