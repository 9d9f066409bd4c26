// The headers that a webhook destination adds to its requests (spec 2.15.9). Their values may be secrets: they are
// sealed, and the configuration has a keyed hash of each, which approval covers and which reveals nothing.
import { type Issue, pointer } from "../../platform/http/issues.ts"
import type { DataKeys } from "../../platform/secrets/data-keys.ts"
import type { Sealing } from "../../platform/secrets/sealing.ts"
import type { SecretOwner } from "./webhook-secret.ts"

export const headersMax = 20
/** Units: characters. */
const nameLengthMax = 100
export const valueLengthMax = 2_000

/** Signing and transport set these. */
const ours: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
])

/** By lower-case name. Null: the header is removed. */
export type GivenHeaders = Readonly<Record<string, string | null>>

/** The headers of a request body, by lower-case name, or what is wrong with them. No issue shows a value. */
export const readHeaders = (
  given: GivenHeaders,
): { readonly headers: GivenHeaders; readonly issues: ReadonlyArray<Issue> } => {
  const headers = new Map<string, string | null>()
  const issues: Array<Issue> = []
  const refuse = (name: string, code: string, message: string) =>
    issues.push({ path: pointer(["body", "headers", name.slice(0, nameLengthMax)]), code, message })
  for (const [written, value] of Object.entries(given)) {
    const name = written.trim().toLowerCase()
    if (name.length > nameLengthMax || !/^[a-z0-9][a-z0-9!#$%&'*+.^_`|~-]*$/.test(name)) {
      refuse(written, "format", `Expected a header's name of 1 to ${nameLengthMax} characters.`)
    } else if (ours.has(name) || name.startsWith("webhook-")) {
      refuse(written, "format", `Expected no header ${name}, because Footfall sets it.`)
    } else if (headers.has(name)) {
      refuse(written, "format", `Expected the header ${name} once.`)
    } else {
      if (value !== null && !isValue(value.trim())) {
        const expected = `1 to ${valueLengthMax} characters of Latin-1 without control characters`
        refuse(written, "format", `Expected ${expected}, received a value that is not shown.`)
      }
      headers.set(name, value === null ? null : value.trim())
    }
  }
  return { headers: Object.fromEntries(headers), issues }
}

/** Other characters can't be sent in a header. */
const isValue = (value: string): boolean =>
  value.length <= valueLengthMax && /^[\x20-\x7e\xa0-\xff]+$/.test(value)

/** With these changes applied. Default of `current`: no header. */
export const withHeaders = (
  current: Readonly<Record<string, string>> = {},
  changes: GivenHeaders,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  )

/** A change adds to the headers, so they are counted after it. */
export const tooManyHeaders = (headers: object = {}): ReadonlyArray<Issue> => {
  const count = Object.keys(headers).length
  const message = `Expected at most ${headersMax} headers, received ${count}.`
  return count <= headersMax ? [] : [{ path: "/body/headers", code: "max_items", message }]
}

const ownerOf = ({ destinationId, organizationId }: SecretOwner): string =>
  `${organizationId}.${destinationId}.headers`

export const headersSealing = (owner: SecretOwner): Sealing => ({
  purpose: "webhook-secret",
  owner: ownerOf(owner),
})

/** A keyed hash of each value, which is the same only for the same header of the same destination. */
export const headerHashes = (
  dataKeys: DataKeys["Service"],
  owner: SecretOwner,
  headers: GivenHeaders,
): GivenHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === null
        ? null
        : dataKeys
            .sign("webhook-secret", `${ownerOf(owner)}.${name}: ${value}`)
            .toString("base64url"),
    ]),
  )
