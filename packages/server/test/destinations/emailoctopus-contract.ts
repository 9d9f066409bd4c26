// What EmailOctopus accepts as a contact: names and types of the two operations of its OpenAPI document (API 2.0.0)
// that a delivery uses. A property that the document doesn't have is an error here.
import { Ajv2020 } from "ajv/dist/2020.js"

const strings = { type: "array", items: { type: "string" } } as const
const statuses = ["pending", "subscribed", "unsubscribed"] as const

const contactWith = (tags: object) => ({
  type: "object",
  required: ["email_address"],
  additionalProperties: false,
  properties: {
    email_address: { type: "string" },
    fields: {
      type: "object",
      additionalProperties: {
        anyOf: [{ type: "string" }, { type: "integer" }, strings, { type: "null" }],
      },
    },
    tags,
    status: { type: "string", enum: statuses },
  },
})

export interface ContactBody {
  readonly email_address: string
  readonly fields?: Record<string, unknown>
  readonly tags?: ReadonlyArray<string> | Record<string, boolean>
  readonly status?: (typeof statuses)[number]
}

const ajv = new Ajv2020()
const validators = {
  /** Create contact. */
  POST: ajv.compile<ContactBody>(contactWith(strings)),
  /** Create or update contact. */
  PUT: ajv.compile<ContactBody>(
    contactWith({ type: "object", additionalProperties: { type: "boolean" } }),
  ),
}

/** Throws if the document doesn't allow the body. */
export const readContactBody = (method: "POST" | "PUT", body: unknown): ContactBody => {
  const validate = validators[method]
  if (validate(body)) return body
  throw new Error(`${method} of a contact: ${ajv.errorsText(validate.errors)}`)
}
