// Takes the records of one request: maps them, leaves out whom it must, and stores the visits with the history in one
// transaction (spec 15.3.7 to 15.3.10). A request is taken once, however often it is tried.
import { registrableDomain } from "@footfall/normal-form"
import { hash } from "node:crypto"
import { Clock, Context, Effect, Layer, Metric, Option, Redacted, Schema } from "effect"
import { Hex } from "effect/encoding"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { seal, type Sealing, unseal } from "../../platform/secrets/sealing.ts"
import { Pixels } from "../pixels/pixels.ts"
import { Arrivals } from "../visits/arrivals.ts"
import { CollectConfig } from "../visits/collect-config.ts"
import type { CollectPixel } from "../visits/collect-pixel.ts"
import { collectPixelOf } from "../visits/collect-request.ts"
import type { CollectedEvent } from "../visits/collected-event.ts"
import {
  emailHashOf,
  emailKind,
  normalizeEmail,
  normalizeEmailHash,
  otherHashOf,
  ruleDomainOf,
} from "../visits/email-address.ts"
import { VisitsStore } from "../visits/store.ts"
import { eventsOf } from "./events.ts"
import { type InboundSource, recordsMax } from "./inbound-source.ts"
import { recordsIn } from "./mapping.ts"
import { fieldsOf, presetRecords } from "./presets.ts"
import { type NamedRecord, RecordGuard } from "./record-guard.ts"
import { type InboundRecord, readRecord, RecordRejected } from "./record.ts"
import {
  InboundRecordStore,
  type NewRecord,
  type OpenRecord,
  type RequestKey,
} from "./records-store.ts"

export class RequestNotFound extends Schema.TaggedError<RequestNotFound>()("RequestNotFound", {}) {}

/** One request to `POST /in/{token}`, or the one that waited in the spool. */
export interface InboundRequest {
  readonly source: InboundSource
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly records: ReadonlyArray<unknown>
}

/** The records of a parsed body: at most one more than a request may have. */
export const recordsOf = (
  body: unknown,
  { mapping, preset }: Pick<InboundSource, "mapping" | "preset">,
): ReadonlyArray<unknown> => {
  const all: Array<unknown> = []
  for (const part of Array.isArray(body) ? body : [body]) {
    for (const item of recordsIn(part, mapping, recordsMax + 1)) {
      all.push(...presetRecords(preset, item))
      if (all.length > recordsMax) return all.slice(0, recordsMax + 1)
    }
  }
  return all
}

/** A record by the settings of its source. */
export const readByMapping = (
  record: unknown,
  source: Pick<InboundSource, "mapping" | "preset">,
): InboundRecord | RecordRejected =>
  readRecord(record, fieldsOf(record, source), source.mapping?.kind ?? "person")

interface Candidate {
  readonly place: number
  readonly body: unknown
  readonly read: InboundRecord | RecordRejected
  readonly key: string
  /** It was taken before as a visit of its company. */
  readonly isVisitTaken: boolean
}

const make = Effect.gen(function* () {
  const store = yield* InboundRecordStore
  const visits = yield* VisitsStore
  const pixels = yield* Pixels
  const arrivals = yield* Arrivals
  const guard = yield* RecordGuard
  const dataKeys = yield* DataKeys
  const idKey = Hex.encode(Redacted.value((yield* CollectConfig).addressKey))

  const keyOf = (source: InboundSource, body: unknown, read: Candidate["read"]): string => {
    const id = read instanceof RecordRejected ? undefined : read.id
    const text = id === undefined ? `record ${canonicalJson(body)}` : `id ${id}`
    return hash("sha256", `inbound ${idKey} ${source.id} ${text}`)
  }

  /** Stores the candidates with their visits. Runs in a transaction that holds the lock of `begin`. */
  const keep = Effect.fnUntraced(function* (
    key: RequestKey,
    candidates: ReadonlyArray<Candidate>,
    context: {
      readonly source: InboundSource
      readonly pixel: CollectPixel
      readonly arrivedAt: number
      readonly now: number
      readonly retentionDays: number | null
    },
  ) {
    const { organizationId } = key
    const named = candidates.map(({ read }) => namedBy(read))
    const forbidden = yield* guard.forbidden(organizationId, named)
    const hashes = candidates.map(({ body }, index) => {
      const found = addressHashesIn(body)
      return found && [...new Set([...named[index]!.emailHashes, ...found])]
    })
    const all = [...new Set(hashes.flatMap((found) => found ?? []))]
    const unkept = yield* guard.forbidden(organizationId, all.map(namedByHash))
    const hidden = new Set(all.filter((_, index) => unkept.has(index)))
    const rows: Array<NewRecord> = []
    const events = new Map<number, ReadonlyArray<CollectedEvent>>()
    for (const [index, candidate] of candidates.entries()) {
      const { isVisitTaken, place, read } = candidate
      const visit =
        read instanceof RecordRejected || forbidden.has(index)
          ? undefined
          : eventsOf(read, { ...context, key: candidate.key, idKey, isVisitTaken })
      if (visit !== undefined) events.set(place, visit)
      // Nothing that names someone who is dropped is kept.
      const isDropped =
        visit === undefined && (forbidden.has(index) || !(read instanceof RecordRejected))
      rows.push(
        isDropped
          ? {
              place,
              outcome: "dropped",
              reason: null,
              key: candidate.key,
              addressHashes: [],
              body: null,
            }
          : rowOf(key, candidate, hashes[index], hidden),
      )
    }
    const taken = new Set(yield* store.insert(key, rows))
    const repeated = rows.filter(({ place }) => !taken.has(place))
    if (repeated.length > 0) {
      yield* store.insert(key, repeated.map(asRepeated))
    }
    const kept = [...taken].flatMap((place) => events.get(place) ?? [])
    if (kept.length > 0) yield* visits.insert([{ bucket: undefined, events: kept }])
    return [...rows.filter(({ place }) => taken.has(place)), ...repeated.map(asRepeated)]
  })

  /** Without the body if it names someone who was erased or is suppressed, or too many people. */
  const rowOf = (
    request: RequestKey,
    { body, key, place, read }: Candidate,
    addressHashes: ReadonlyArray<string> | undefined,
    hidden: ReadonlySet<string>,
  ): NewRecord => {
    const isRejected = read instanceof RecordRejected
    const isKept = addressHashes?.every((one) => !hidden.has(one)) === true
    const sealed = isKept ? seal(dataKeys, sealingOf(request), JSON.stringify(body)) : undefined
    return {
      place,
      outcome: isRejected ? "rejected" : read.kind,
      reason: isRejected ? read.reason : null,
      key,
      addressHashes: isKept ? addressHashes : [],
      body: sealed === undefined ? null : Buffer.from(sealed).toString("base64"),
    }
  }

  const pixelOf = (source: InboundSource) =>
    Effect.map(pixels.hosted(source.pixelId), (found) =>
      Option.match(found, { onNone: () => undefined, onSome: collectPixelOf }),
    )

  const take = Effect.fn("Inbound.take")(function* ({
    receivedAt,
    records,
    requestId,
    source,
  }: InboundRequest): Effect.fn.Return<TakeOutcome, DatabaseError> {
    const pixel = yield* pixelOf(source)
    if (pixel === undefined) return "gone"
    if (!pixel.isActive || source.status === "paused") return "unkept"
    const { organizationId, id: sourceId } = source
    const key = { organizationId, sourceId, requestId }
    const now = yield* Clock.currentTimeMillis
    const candidates = records.map((body, place) => {
      const read = readByMapping(body, source)
      return { place, body, read, key: keyOf(source, body, read), isVisitTaken: false }
    })
    const stored = yield* store.transaction(
      Effect.gen(function* () {
        const begun = yield* store.begin(key, { receivedAt, records: records.length })
        if (begun === undefined) return "gone" as const
        if (!begun.isActive) return "unkept" as const
        if (!begun.isNew) return []
        const { retentionDays } = begun
        const context = { source, pixel, arrivedAt: receivedAt, now, retentionDays }
        return yield* keep(key, candidates, context)
      }),
    )
    if (stored === "gone" || stored === "unkept") return stored
    arrivals.notify()
    yield* Effect.forEach(stored, ({ outcome }) =>
      Metric.update(Metric.withAttributes(recordCounter, { outcome }), 1),
    )
    return "taken"
  })

  /** Maps the records again that were rejected or had no address. Fails with RequestNotFound. */
  const again = Effect.fn("Inbound.again")(function* (source: InboundSource, requestId: string) {
    const pixel = yield* pixelOf(source)
    if (pixel === undefined || !pixel.isActive) return
    const key = { organizationId: source.organizationId, sourceId: source.id, requestId }
    const now = yield* Clock.currentTimeMillis
    yield* store.transaction(
      Effect.gen(function* () {
        const request = yield* store.open(key)
        if (request === undefined) return yield* new RequestNotFound()
        const opened = yield* Effect.forEach(request.records, (record) => bodyOf(key, record))
        const candidates = opened.flatMap(({ body, outcome, place }) => {
          const read = readByMapping(body, source)
          const isSame =
            read instanceof RecordRejected || (outcome === "company" && read.kind === "company")
          if (isSame && outcome === "company") return []
          const isVisitTaken = outcome === "company"
          return [{ place, body, read, key: keyOf(source, body, read), isVisitTaken }]
        })
        if (candidates.length === 0) return
        yield* store.remove(
          key,
          candidates.map(({ place }) => place),
        )
        const { receivedAt, retentionDays } = request
        yield* keep(key, candidates, { source, pixel, arrivedAt: receivedAt, now, retentionDays })
      }),
    )
    arrivals.notify()
  })

  const bodyOf = (key: RequestKey, { body, outcome, place }: OpenRecord) =>
    Effect.map(Effect.orDie(unseal(dataKeys, sealingOf(key), body)), (text) => ({
      place,
      outcome,
      body: JSON.parse(text) as unknown,
    }))

  return { take, again }
})

/** `gone`: the source or its pixel is deleted. `unkept`: one of them is paused. */
export type TakeOutcome = "taken" | "gone" | "unkept"

export class Taking extends Context.Service<Taking, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/Taking",
) {
  static readonly layer = Layer.effect(Taking, make)
}

const recordCounter = Metric.counter("footfall_inbound_records", {
  description: "Records of inbound sources, by what became of them",
  incremental: true,
})

const sealingOf = ({ organizationId, sourceId }: RequestKey): Sealing => ({
  purpose: "kept-answer",
  owner: `inbound ${organizationId} ${sourceId}`,
})

const asRepeated = (row: NewRecord): NewRecord => ({
  ...row,
  outcome: "repeated",
  reason: null,
  addressHashes: [],
  body: null,
})

const namedByHash = (emailHash: string): NamedRecord => ({
  emailHashes: [emailHash],
  emailDomain: null,
  companyDomain: null,
  industry: null,
})

const namedBy = (read: Candidate["read"]): NamedRecord => {
  if (read instanceof RecordRejected) {
    return { emailHashes: [], emailDomain: null, companyDomain: null, industry: null }
  }
  const { companyDomain, email, emailHash, traits } = read
  const own = email === undefined ? emailHash : emailHashOf(email)
  const other = email === undefined ? undefined : otherHashOf(email)
  return {
    emailHashes: [own, other].filter((hash) => hash !== undefined),
    emailDomain: email === undefined ? null : ruleDomainOf(email),
    companyDomain: companyDomain ?? companyOfMail(email) ?? null,
    industry: traits.industry ?? null,
  }
}

/** The company that the person will have, if the record names none. */
const companyOfMail = (email: string | undefined): string | undefined =>
  email !== undefined && emailKind(email) === "business"
    ? registrableDomain(ruleDomainOf(email))
    : undefined

/** Longer words are no addresses. */
const addressLengthMax = 320
/** A body with more addresses is not kept: an erasure would look for each. */
const addressesMax = 100
/** Of one text, words that are looked at. */
const wordsMax = 10_000
/** Of a body, different words with an at sign that are looked at. */
const candidatesMax = 1_000
/** What is between addresses. What separates the parts of a URL, and quotes, may also be parts of an address. */
const separators = [/[\s,;<>()[\]"]+/, /[\s,;<>()[\]"=&?#/:|\\]+/, /[\s,;<>()[\]"=&?#/:|\\'`]+/]

/** The hashes of every address in the body, not only of the mapped one, so that an erasure finds it; none if too many. */
const addressHashesIn = (body: unknown): ReadonlySet<string> | undefined => {
  const found = new Set<string>()
  const addresses = new Set<string>()
  const candidates = new Set<string>()
  const waiting: Array<unknown> = [body]
  let isCut = false
  const isTooMuch = () =>
    isCut ||
    addresses.size > addressesMax ||
    candidates.size > candidatesMax ||
    found.size > 2 * addressesMax
  const noteWords = (text: string, separator: RegExp) => {
    const words = text.split(separator, wordsMax)
    // The rest was not looked at.
    if (words.length === wordsMax) isCut = true
    for (const word of words) {
      if (!word.includes("@") || candidates.has(word)) continue
      candidates.add(word)
      if (candidates.size > candidatesMax) return
      const email = addressOf(word)
      if (email === undefined) continue
      addresses.add(email)
      for (const hash of [emailHashOf(email), otherHashOf(email)]) {
        if (hash !== undefined) found.add(hash)
      }
    }
  }
  const note = (text: string) => {
    const hash = text.length === 64 ? normalizeEmailHash(text) : undefined
    if (hash !== undefined) found.add(hash)
    // An address in the query of a URL is escaped.
    const plain = /%40/i.test(text) ? unescaped(text) : text
    if (!plain.includes("@")) return
    for (const separator of separators) noteWords(plain, separator)
  }
  while (waiting.length > 0) {
    if (isTooMuch()) return undefined
    const value = waiting.pop()
    if (typeof value === "string") note(value)
    else if (Array.isArray(value)) for (const inner of value) waiting.push(inner)
    else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        note(name)
        waiting.push(inner)
      }
    }
  }
  return isTooMuch() ? undefined : found
}

const addressOf = (word: string): string | undefined =>
  word.length > addressLengthMax
    ? undefined
    : normalizeEmail(word.replace(/^mailto:/i, "").replace(/[.:]$/, ""))

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%40/g, "@").replaceAll(/%2b/gi, "+")
  }
}

/** The JSON of a value with the names of every object in order. The depth was checked when it arrived. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(",")}}`
}
