// Inbound sources of an organization (spec 15.3). Each write is one transaction with its audit entry. A token is in the
// response that makes it, and only its digest is stored.
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccessConfig } from "../../access/access-config.ts"
import { apiKeyDigest, makeApiKey } from "../../access/api-key.ts"
import { Audit } from "../../access/audit/audit.ts"
import type { Author } from "../../access/audit/store.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { seal } from "../../platform/secrets/sealing.ts"
import { PixelNotFound } from "../pixels/pixels.ts"
import { PixelStore } from "../pixels/store.ts"
import {
  formerSecretHours,
  graceHoursDefault,
  type InboundConsent,
  inboundSourcesMax,
  type InboundStatus,
  type Preset,
} from "./inbound-source.ts"
import { type Mapping, mappingFault } from "./mapping.ts"
import { InboundRecordStore } from "./records-store.ts"
import { isSignable } from "./signatures.ts"
import { secretSealing } from "./signing-secrets.ts"
import { type InboundRow, InboundStore } from "./store.ts"
import { RequestNotFound, Taking } from "./taking.ts"

export class InboundNotFound extends Schema.TaggedError<InboundNotFound>()("InboundNotFound", {}) {}

/** The organization has the most sources it may have. */
export class TooManyInbound extends Schema.TaggedError<TooManyInbound>()("TooManyInbound", {}) {}

/** A field that is wrong for the preset, or missing. */
export class InboundFieldRefused extends Schema.TaggedError<InboundFieldRefused>()(
  "InboundFieldRefused",
  { field: Schema.String, message: Schema.String },
) {}

export interface NewSource {
  readonly name: string
  readonly pixelId: string
  readonly preset: Preset
  readonly mapping?: Mapping | null | undefined
  readonly signingSecret?: string | null | undefined
  readonly consent?: InboundConsent | undefined
  readonly status?: InboundStatus | undefined
}

export type SourceChange = Partial<Omit<NewSource, "preset">>

const make = Effect.gen(function* () {
  const store = yield* InboundStore
  const records = yield* InboundRecordStore
  const taking = yield* Taking
  const pixels = yield* PixelStore
  const dataKeys = yield* DataKeys
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom
  const { baseUrl } = yield* AccessConfig

  const refuse = (field: string, message: string) => new InboundFieldRefused({ field, message })

  const check = Effect.fnUntraced(function* (
    preset: Preset,
    { mapping, signingSecret }: Pick<NewSource, "mapping" | "signingSecret">,
  ) {
    const fault = mapping === undefined || mapping === null ? undefined : mappingFault(mapping)
    if (fault !== undefined) return yield* refuse(`mapping/${fault.path}`, fault.message)
    if (preset === "generic" && (mapping === undefined || mapping === null)) {
      return yield* refuse("mapping", "Expected a mapping: the preset generic has none of its own.")
    }
    if (signingSecret !== undefined && signingSecret !== null && !isSignable(preset)) {
      const message = `Expected no signingSecret: requests of the preset ${preset} are not signed.`
      return yield* refuse("signingSecret", message)
    }
  })

  const requirePixel = Effect.fnUntraced(function* (organizationId: string, pixelId: string) {
    const found = yield* pixels.find({ organizationId, pixelId })
    return Option.isNone(found) ? yield* new PixelNotFound({ pixelId }) : pixelId
  })

  const newToken = () => {
    const token = makeApiKey("in_")
    const text = Redacted.value(token)
    return {
      url: `${baseUrl}/in/${text}`,
      digest: apiKeyDigest(token),
      last4: text.slice(-4),
    }
  }

  const sealed = (
    key: { readonly organizationId: string; readonly id: string },
    secret: string | null | undefined,
  ) => (secret === undefined || secret === null ? null : seal(dataKeys, secretSealing(key), secret))

  const found = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const row = yield* store.find({ organizationId, id: id.toLowerCase() })
    return row ?? (yield* new InboundNotFound())
  })

  const locked = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const row = yield* store.findForChange({ organizationId, id: id.toLowerCase() })
    return row ?? (yield* new InboundNotFound())
  })

  /** The URL is in this response alone. */
  const create = Effect.fn("Inbound.create")(function* (author: Author, source: NewSource) {
    const { organizationId } = author
    const { consent = "vouched", mapping = null, name, preset, status = "active" } = source
    yield* check(preset, { mapping, signingSecret: source.signingSecret })
    const id = yield* random.uuidV4()
    const { url, ...token } = newToken()
    const inbound = yield* store.transaction(
      Effect.gen(function* () {
        if ((yield* store.countForInsert(organizationId)) >= inboundSourcesMax) {
          return yield* new TooManyInbound()
        }
        const pixelId = yield* requirePixel(organizationId, source.pixelId.toLowerCase())
        const secret = sealed({ organizationId, id }, source.signingSecret)
        const content = { name, pixelId, preset, mapping, consent, status, secret }
        yield* store.insert({ organizationId, id, ...content, ...token })
        yield* audit.record(author, "inbound.created", id)
        return yield* found(organizationId, id)
      }),
    )
    return { inbound, url }
  })

  const update = Effect.fn("Inbound.update")(function* (
    author: Author,
    id: string,
    change: SourceChange,
  ) {
    const { organizationId } = author
    return yield* store.transaction(
      Effect.gen(function* () {
        const before = yield* locked(organizationId, id)
        const mapping = change.mapping === undefined ? before.mapping : change.mapping
        yield* check(before.preset, { mapping, signingSecret: change.signingSecret })
        const pixelId =
          change.pixelId === undefined
            ? before.pixelId
            : yield* requirePixel(organizationId, change.pixelId.toLowerCase())
        const secret =
          change.signingSecret === undefined ? undefined : sealed(before, change.signingSecret)
        const content = {
          name: change.name ?? before.name,
          pixelId,
          mapping,
          consent: change.consent ?? before.consent,
          status: change.status ?? before.status,
        }
        yield* store.update(before, content, secret, formerSecretHours)
        yield* audit.record(author, "inbound.updated", before.id)
        return yield* found(organizationId, id)
      }),
    )
  })

  /** What it brought stays, the history goes with it. */
  const remove = Effect.fn("Inbound.delete")(function* (author: Author, id: string) {
    yield* store.transaction(
      Effect.gen(function* () {
        const key = { organizationId: author.organizationId, id: id.toLowerCase() }
        if (!(yield* store.delete(key))) return yield* new InboundNotFound()
        yield* audit.record(author, "inbound.deleted", key.id)
      }),
    )
  })

  /** A new URL. The former one works for some hours more; one before that no longer does. */
  const rotate = Effect.fn("Inbound.rotate")(function* (
    author: Author,
    id: string,
    graceHours: number = graceHoursDefault,
  ) {
    const { organizationId } = author
    const { url, ...token } = newToken()
    const inbound = yield* store.transaction(
      Effect.gen(function* () {
        const before = yield* locked(organizationId, id)
        yield* store.rotate(before, token, graceHours)
        yield* audit.record(author, "inbound.rotated", before.id)
        return yield* found(organizationId, id)
      }),
    )
    return { inbound, url }
  })

  const history = Effect.fn("Inbound.history")(function* (organizationId: string, id: string) {
    const { id: sourceId } = yield* found(organizationId, id)
    return yield* records.history({ organizationId, id: sourceId })
  })

  /** Maps again what was rejected or had no address. Fails with InboundNotFound, RequestNotFound. */
  const runAgain = Effect.fn("Inbound.runAgain")(function* (
    author: Author,
    id: string,
    requestId: string,
  ) {
    const { organizationId } = author
    const source: InboundRow = yield* found(organizationId, id)
    const key = requestId.toLowerCase()
    yield* Effect.catchTag(taking.again(source, key), "SqlError", Effect.die)
    yield* audit.record(author, "inbound.run_again", source.id)
    const row = yield* records.request(source, key)
    return row ?? (yield* new RequestNotFound())
  })

  return {
    list: store.all,
    find: found,
    create,
    update,
    delete: remove,
    rotate,
    history,
    runAgain,
    check,
  }
})

export class Inbound extends Context.Service<Inbound, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/Inbound",
) {
  static readonly layer = Layer.effect(Inbound, make)
}
