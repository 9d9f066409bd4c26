// The parts of a request as written on the command line.

import type { RawRequest } from "@footfall/sdk"
import { InvalidArgumentError } from "commander"
import type { GlobalOptions } from "../connection/global-options.ts"

/** As commander passes them. */
export interface ApiOptions extends GlobalOptions {
  readonly data?: string
  readonly field?: ReadonlyArray<Field>
  readonly header?: ReadonlyArray<Header>
  readonly paginate?: true
  readonly signedIn?: true
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ReadonlyArray<
  RawRequest["method"]
>

/** Parses a method, in any case. Errors: InvalidArgumentError. */
export const httpMethod = (text: string): RawRequest["method"] => {
  const method = methods.find((one) => one === text.toUpperCase())
  if (method !== undefined) return method
  throw new InvalidArgumentError(
    `Use one of: ${methods.join(", ")}. For example: footfall api GET /v1/data/account`,
  )
}

type Field = readonly [name: string, value: unknown]

/** Adds `name=value`. Errors: InvalidArgumentError. */
export const field = (text: string, before: ReadonlyArray<Field> = []): ReadonlyArray<Field> => {
  const at = text.indexOf("=")
  if (at < 1) throw new InvalidArgumentError("Expected name=value, for example limit=10.")
  return [...before, [text.slice(0, at), jsonOrText(text.slice(at + 1))]]
}

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Header = readonly [name: string, value: string]

/** Credentials come from the profile; the other headers belong to the connection or the body. */
const ownHeaders = new Set([
  "accept",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "transfer-encoding",
  "user-agent",
  "x-api-key",
])

/** Adds `Name: value`. Errors: InvalidArgumentError. */
export const header = (text: string, before: ReadonlyArray<Header> = []): ReadonlyArray<Header> => {
  const [, name = "", value = ""] =
    /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7E\x80-\xFF]*)$/.exec(text) ?? []
  if (name === "") {
    throw new InvalidArgumentError("Expected `Name: value`, for example `Idempotency-Key: monday`.")
  }
  if (ownHeaders.has(name.toLowerCase())) {
    throw new InvalidArgumentError(
      `The command sends ${name} itself. Choose credentials with --profile, --api-key-stdin or --signed-in.`,
    )
  }
  return [...before, [name, value.trim()]]
}
