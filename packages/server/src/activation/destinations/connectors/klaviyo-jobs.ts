// The jobs of Klaviyo: an import is followed to its end, and says whom it refused; a subscription is accepted and no more.
import { Effect, Schema } from "effect"
import type { WrittenMember } from "./connector.ts"
import { type ConnectorError, ContactRefused, ProviderFailed } from "./connector-error.ts"
import { type MailingList, typedFields } from "./mailing-list.ts"
import { type ApiAnswer, type ProviderApi, refusal, sentenceOf } from "./provider-api.ts"

/** How often a job is asked for, and how long at most. Units: milliseconds. */
const pollMs = { first: 500, most: 10_000, total: 300_000 }

const Job = Schema.Struct({
  data: Schema.Struct({
    id: Schema.String,
    attributes: Schema.Struct({
      status: Schema.String,
      failed_count: Schema.optionalKey(Schema.NullOr(Schema.Int)),
    }),
  }),
})
const isJob = Schema.is(Job)
const ImportErrors = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      attributes: Schema.Struct({
        detail: Schema.optionalKey(Schema.NullOr(Schema.String)),
        title: Schema.optionalKey(Schema.NullOr(Schema.String)),
        original_payload: Schema.optionalKey(Schema.NullOr(Schema.Unknown)),
        source: Schema.optionalKey(
          Schema.NullOr(Schema.Struct({ pointer: Schema.optionalKey(Schema.String) })),
        ),
      }),
    }),
  ),
})

/** Known names are attributes, those with a dot parts of the location; any other is a custom property. */
const profileOf = ({ email, fields }: WrittenMember, list: MailingList) => {
  const own = new Set(list.fields.map(({ tag }) => tag))
  const entries = Object.entries(typedFields(fields, list))
  const attributes = entries.filter(([name]) => own.has(name) && !name.includes("."))
  const location = entries.flatMap(([name, value]) =>
    own.has(name) && name.includes(".") ? [[name.slice("location.".length), value]] : [],
  )
  const properties = entries.filter(([name]) => !own.has(name))
  return {
    type: "profile",
    attributes: {
      email,
      ...Object.fromEntries(attributes),
      ...(location.length > 0 && { location: Object.fromEntries(location) }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    },
  }
}

const place = (pointer: string | undefined) =>
  /\/profiles\/data\/(\d+)(?:\/|$)/.exec(pointer ?? "")?.[1]

type Failures = ReadonlyMap<string, ConnectorError>

const isPointed = Schema.is(Schema.Struct({ source: Schema.Struct({ pointer: Schema.String }) }))

/** The members that a refused request names, by address. */
const refusedIn = (answer: ApiAnswer, members: ReadonlyArray<WrittenMember>): Failures => {
  const errors = (answer.json as { readonly errors?: unknown } | null)?.errors
  return new Map(
    (Array.isArray(errors) ? errors : []).flatMap((error: unknown) => {
      const pointer = isPointed(error) ? error.source.pointer : undefined
      const member = members[Number(place(pointer) ?? Number.NaN)]
      return member === undefined
        ? []
        : [[member.email, refusal({ ...answer, json: error }, "detail", "title")] as const]
    }),
  )
}

const jobPath = "/profile-bulk-import-jobs"

/** Imports members by a job and follows it to its end. Returns those that Klaviyo refused. */
export const imported = Effect.fnUntraced(function* (
  api: ProviderApi,
  list: MailingList,
  given: ReadonlyArray<WrittenMember>,
  isOnList: boolean,
): Effect.fn.Return<Failures, ConnectorError> {
  const failures = new Map<string, ConnectorError>()
  let members = given
  while (members.length > 0) {
    const answer = yield* api.ask({
      method: "POST",
      path: jobPath,
      body: {
        data: {
          type: "profile-bulk-import-job",
          attributes: { profiles: { data: members.map((member) => profileOf(member, list)) } },
          ...(isOnList && {
            relationships: { lists: { data: [{ type: "list", id: list.id }] } },
          }),
        },
      },
      answers: [400],
    })
    if (isJob(answer.json)) {
      for (const [email, error] of yield* followed(api, answer.json.data.id, members)) {
        failures.set(email, error)
      }
      return failures
    }
    // A refused request imports no one: those that it names are left out of the next.
    const refused = refusedIn(answer, members)
    if (refused.size === 0) return yield* refusal(answer, "errors.0.detail")
    for (const [email, error] of refused) failures.set(email, error)
    members = members.filter(({ email }) => !refused.has(email))
  }
  return failures
})

const followed = Effect.fnUntraced(function* (
  api: ProviderApi,
  id: string,
  members: ReadonlyArray<WrittenMember>,
): Effect.fn.Return<Failures, ConnectorError> {
  const path = `${jobPath}/${encodeURIComponent(id)}`
  let waitMs = pollMs.first
  for (let waited = 0; waited < pollMs.total; waited += waitMs) {
    yield* Effect.sleep(waitMs)
    waitMs = Math.min(2 * waitMs, pollMs.most)
    const { data } = yield* api.read(Job, { method: "GET", path })
    const { failed_count, status } = data.attributes
    if (status === "cancelled") return yield* unfinished
    if (status !== "complete") continue
    return (failed_count ?? 0) === 0 ? new Map() : yield* importErrors(api, path, members)
  }
  return yield* unfinished
})

/** The job was canceled or takes too long: importing the same people again is harmless. */
const unfinished = new ProviderFailed({ status: 200, isTransient: true, retryAfterSeconds: null })

const importErrors = Effect.fnUntraced(function* (
  api: ProviderApi,
  path: string,
  members: ReadonlyArray<WrittenMember>,
) {
  const { data } = yield* api.read(ImportErrors, {
    method: "GET",
    path: `${path}/import-errors`,
    query: { "page[size]": 100 },
  })
  return new Map(
    data.flatMap(({ attributes }) => {
      const { original_payload: payload, source } = attributes
      const sent = (payload as { readonly email?: unknown } | null | undefined)?.email
      const index = place(source?.pointer)
      const email =
        members.find((member) => member.email === sent)?.email ?? members[Number(index)]?.email
      const sentence = sentenceOf(attributes, ["detail", "title"])
      return email === undefined ? [] : [[email, new ContactRefused({ status: 400, sentence })]]
    }),
  )
})

/** Asks for subscription. Klaviyo accepts the job and says no more. */
export const subscribed = (api: ProviderApi, listId: string, emails: ReadonlyArray<string>) =>
  api.ask({
    method: "POST",
    path: "/profile-subscription-bulk-create-jobs",
    body: {
      data: {
        type: "profile-subscription-bulk-create-job",
        attributes: {
          profiles: {
            data: emails.map((email) => ({
              type: "profile",
              attributes: {
                email,
                subscriptions: { email: { marketing: { consent: "SUBSCRIBED" } } },
              },
            })),
          },
        },
        relationships: { list: { data: { type: "list", id: listId } } },
      },
    },
  })

/** Unsubscribes someone from the list. Klaviyo accepts the job and says no more. */
export const unsubscribed = (api: ProviderApi, listId: string, email: string) =>
  api.ask({
    method: "POST",
    path: "/profile-subscription-bulk-delete-jobs",
    body: {
      data: {
        type: "profile-subscription-bulk-delete-job",
        attributes: {
          profiles: {
            data: [
              {
                type: "profile",
                attributes: {
                  email,
                  subscriptions: { email: { marketing: { consent: "UNSUBSCRIBED" } } },
                },
              },
            ],
          },
        },
        relationships: { list: { data: { type: "list", id: listId } } },
      },
    },
  })
