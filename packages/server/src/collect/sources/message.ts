// Parses one message of the tracking contract and checks its limits (spec 15.2). A rejected message says why; the rest
// of its batch is kept. Unknown fields are ignored, because the contract has many more.
import { unstorablePath } from "../../platform/http/json-checks.ts"
import { isObject, type JsonObject, nameLengthMax } from "../visits/batch.ts"
import { cleanText, isAtMost } from "../visits/clean-text.ts"
import { normalizeEmail } from "../visits/email-address.ts"
import { isPlaceholder } from "../visits/placeholder.ts"
import { readMoment } from "./moment.ts"

export const messageTypes = ["track", "identify", "page", "screen", "group", "alias"] as const
export type MessageType = (typeof messageTypes)[number]

/** Why a message was rejected: a code and words for people. */
export class Rejected {
  readonly reason: string
  readonly message: string

  constructor(reason: string, message: string) {
    this.reason = reason
    this.message = message
  }
}

export interface Message {
  readonly type: MessageType
  /** Undefined: duplicates cannot be detected. */
  readonly messageId: string | undefined
  readonly anonymousId: string | undefined
  readonly userId: string | undefined
  /** Only for `alias`. */
  readonly previousId: string | undefined
  /** Why an id counts as absent, for a message that needs it. */
  readonly placeholder: Rejected | undefined
  /** Epoch milliseconds by the sender's clock; undefined means now. */
  readonly timestamp: number | undefined
  readonly sentAt: number | undefined
  readonly context: JsonObject
  readonly traits: JsonObject
  readonly properties: JsonObject
  /** Name of the event, page or screen. */
  readonly name: string | undefined
  /** The person the message names. */
  readonly email: string | undefined
}

/** Maximum size of a message. Units: bytes of JSON text. */ // spec 10.3
export const messageBytesMax = 32_768
const idLengthMax = 255
/** The longest placeholder is a hash, but a text of one repeated character may be longer. */
const placeholderShownMax = 64
/** Maximum length of a page title. Units: code points. */
const titleLengthMax = 255

/** `type`: from the path; undefined in a batch, where each message names its own. */
export const readMessage = (
  value: unknown,
  type: MessageType | undefined,
  shared: JsonObject,
): Message | Rejected => {
  if (!isObject(value)) return new Rejected("invalid_message", "Expected an object.")
  if (Buffer.byteLength(JSON.stringify(value)) > messageBytesMax) {
    return new Rejected("too_large", `Expected at most ${messageBytesMax} bytes per message.`)
  }
  if (unstorablePath(value) !== undefined) {
    return new Rejected("invalid_text", "Expected text without NUL characters or lone surrogates.")
  }
  const kind = type ?? messageTypes.find((one) => one === value["type"])
  if (kind === undefined) {
    return new Rejected("unknown_type", `Expected type to be one of ${messageTypes.join(", ")}.`)
  }
  return readKnown(value, kind, shared)
}

const readKnown = (value: JsonObject, type: MessageType, shared: JsonObject) => {
  const ids = readIds(value, type)
  if (ids instanceof Rejected) return ids
  const timestamp = readTimestamp(value, "timestamp") ?? readTimestamp(value, "originalTimestamp")
  if (timestamp instanceof Rejected) return timestamp
  // It only corrects clocks, so an unreadable one is no reason to reject anything.
  const sentAt = readMoment(value["sentAt"]) ?? readMoment(shared["sentAt"])
  const context = objectOf(value["context"] ?? shared["context"])
  const traits = objectOf(value["traits"] ?? context["traits"])
  const name = readName(value, type)
  if (name instanceof Rejected) return name
  const email = readEmail(type, traits, ids)
  if (email instanceof Rejected) return email
  const properties = objectOf(value["properties"])
  return { type, ...ids, timestamp, sentAt, context, traits, properties, name, email }
}

const readIds = (value: JsonObject, type: MessageType) => {
  const anonymousId = readId(value, "anonymousId")
  if (anonymousId instanceof Rejected) return anonymousId
  const userId = readId(value, "userId")
  if (userId instanceof Rejected) return userId
  const messageId = readId(value, "messageId")
  if (messageId instanceof Rejected) return messageId
  const previousId = type === "alias" ? readId(value, "previousId") : undefined
  if (previousId instanceof Rejected) return previousId
  const ids = {
    anonymousId: realId(anonymousId),
    userId: realId(userId),
    messageId: realId(messageId),
    previousId: realId(previousId),
    placeholder: placeholderIn({ anonymousId, userId, previousId }),
  }
  if (type === "alias" && (ids.previousId === undefined || ids.userId === undefined)) {
    return ids.placeholder ?? new Rejected("missing_id", "Expected previousId and userId.")
  }
  if (ids.anonymousId === undefined && ids.userId === undefined) {
    return ids.placeholder ?? new Rejected("missing_id", "Expected anonymousId or userId.")
  }
  return ids
}

/** A number counts as an id; null and empty text do not. */
const readId = (value: JsonObject, name: string): string | Rejected | undefined => {
  const given = value[name] // own keys: the names are ours
  if (given === undefined || given === null) return undefined
  const text = typeof given === "number" && Number.isFinite(given) ? String(given) : given
  return typeof text === "string" && isAtMost(text, idLengthMax)
    ? text.trim() || undefined
    : new Rejected("invalid_id", `Expected ${name} to be a text of 1 to ${idLengthMax} characters.`)
}

const realId = (id: string | undefined): string | undefined =>
  id === undefined || isPlaceholder(id) ? undefined : id

const placeholderIn = (ids: Readonly<Record<string, string | undefined>>): Rejected | undefined => {
  const found = Object.entries(ids).find(([, id]) => id !== undefined && isPlaceholder(id))
  if (found === undefined) return undefined
  const [name, id = ""] = found
  const shown = JSON.stringify(id.slice(0, placeholderShownMax))
  return new Rejected(
    "placeholder_id",
    `Expected ${name} to be an id, received the placeholder ${shown}.`,
  )
}

const readTimestamp = (value: JsonObject, name: string): number | Rejected | undefined => {
  const given = value[name] // own keys: as above
  if (given === undefined || given === null || given === "") return undefined
  return (
    readMoment(given) ??
    new Rejected(
      "invalid_time",
      `Expected ${name} as ISO 8601 from 1970 on, such as 2026-03-11T09:05:00.000Z.`,
    )
  )
}

const readName = (value: JsonObject, type: MessageType): string | Rejected | undefined => {
  if (type !== "track") return cleanText(textOf(value["name"]), titleLengthMax)
  const { event } = value
  return typeof event === "string" && event.trim() !== "" && isAtMost(event.trim(), nameLengthMax)
    ? event.trim()
    : new Rejected(
        "invalid_event",
        `Expected event to be a text of 1 to ${nameLengthMax} characters.`,
      )
}

/** A user id that is an address identifies the person in every message without another address. */
const readEmail = (
  type: MessageType,
  traits: JsonObject,
  { anonymousId, userId }: Pick<Message, "anonymousId" | "userId">,
): string | Rejected | undefined => {
  const given = traits["email"]
  if (type === "identify" && given !== undefined && given !== null && given !== "") {
    const email = typeof given === "string" ? normalizeEmail(given) : undefined
    return email ?? new Rejected("invalid_email", "Expected traits.email to be an email address.")
  }
  const isNamed = type === "identify" || anonymousId === undefined
  return isNamed && userId !== undefined ? normalizeEmail(userId) : undefined
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
