// What the public endpoints about topics have in common (spec 5.7, 10.2).
import { Schema } from "effect"
import { listParameters } from "../http/lists.ts"
import { requestText } from "../http/request-text.ts"
import { TopicType } from "./topic.ts"

/** GET and compare share one limit: per address without credentials, per key or user with them. */
export const discoveryLimit = { name: "topic-discovery", limitOfAddress: 60, limit: 120 }

/** A text of the query. *Bounds*: 100 characters. */
export const queryText = (lengthMin: number) => requestText({ lengthMin, lengthMax: 100 })

/** What topics are taken; an empty text lets every topic pass. */
export const filterParameters = {
  type: Schema.optionalKey(TopicType),
  industry: Schema.optionalKey(queryText(0)),
}

/** At most so many, 1 to `limitMax`. */
export const limitParameter = (limitMax: number) => listParameters(limitMax).limit
