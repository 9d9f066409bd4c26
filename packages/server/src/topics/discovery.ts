// Shared by the public endpoints about topics (spec 5.7, 10.2).
import { Schema } from "effect"
import { listParameters } from "../http/lists.ts"
import { requestText } from "../http/request-text.ts"
import { TopicType } from "./topic.ts"

/** GET and compare share one limit: per address without credentials, per key or user with them. */
export const discoveryLimit = { name: "topic-discovery", limitOfAddress: 60, limit: 120 }

/** A text in the query, at most 100 characters. */
export const queryText = (lengthMin: number) => requestText({ lengthMin, lengthMax: 100 })

/** Which topics to select; empty text matches every topic. */
export const filterParameters = {
  type: Schema.optionalKey(TopicType),
  industry: Schema.optionalKey(queryText(0)),
}

/** `limit`, from 1 to `limitMax`. */
export const limitParameter = (limitMax: number) => listParameters(limitMax).limit
