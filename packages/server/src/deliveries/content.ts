// What of a contact is sent, in the form whose hash tells whether it has changed (decisions.md 2.16): the
// RFC 8785 form of the whole contact, or of address, mapped fields and tags. Pure.
import canonicalize from "canonicalize"
import { createHash } from "node:crypto"
import type { ListContact } from "../destinations/mailer/list-contact.ts"
import type { ResultRow } from "../runs/results/result-row.ts"
import type { Topic } from "../topics/topic.ts"

/** SHA-256, lower-case hex. */
export const contentHash = (sent: ResultRow | ListContact): string =>
  createHash("sha256").update(canonicalForm(sent)).digest("hex")

export const topicText = (topic: Topic): string => canonicalForm(topic)

const canonicalForm = (value: object): string => canonicalize(value)! // There is a text for every object.

/** As RFC 8785 sorts keys. */
export const byCodeUnits = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1
