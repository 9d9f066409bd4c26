// The parts of JSON Schema that events need. Every key of an object is required unless listed as optional. Additional
// keys are allowed, so that new keys do not break a receiver.

/** A JSON Schema (draft 2020-12) as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, JsonSchema>>

export const object = (properties: Properties, optional: Properties = {}): JsonSchema => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
})

export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] })

export const oneOf = (...values: ReadonlyArray<string>): JsonSchema => ({
  type: "string",
  enum: values,
})

export const constant = (value: string | true): JsonSchema => ({ const: value })

export const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items })

export const text: JsonSchema = { type: "string" }
export const textOrNull: JsonSchema = { type: ["string", "null"] }
export const count: JsonSchema = { type: "integer", minimum: 0 }
export const uuid: JsonSchema = { type: "string", format: "uuid" }
export const timestamp: JsonSchema = { type: "string", format: "date-time" }
export const date: JsonSchema = { type: "string", format: "date" }
export const messageId: JsonSchema = { type: "string", pattern: "^msg_[a-z2-7]{26}$" }
export const sha256: JsonSchema = { type: "string", pattern: "^[0-9a-f]{64}$" }
