// `footfall-server keys`: API keys for operators. Only `create` shows a secret.
import { Effect, Redacted } from "effect"
import type { ApiKey } from "../../access/api-key.ts"
import { ApiKeys } from "../../access/api-keys.ts"
import { Installation } from "../../access/installation.ts"
import { OrganizationNotFound } from "../../access/organizations/organizations.ts"
import { Output } from "./output.ts"

export const createKey = Effect.fn("keys create")(function* (options: {
  readonly organizationId: string
  readonly name: string
}) {
  const keys = yield* ApiKeys
  const output = yield* Output
  const organizations = yield* (yield* Installation).organizations
  if (!organizations.some(({ id }) => id === options.organizationId)) {
    return yield* new OrganizationNotFound(options)
  }
  const made = yield* keys.create({ ...options, actor: { type: "operator" } })
  const { id } = made.apiKey
  const apiKey = Redacted.value(made.secret)
  yield* output.result(
    { id, apiKey },
    `${apiKey}\n\nThe key is shown only once. Save it now. Its id is ${id}.`,
  )
})

export const listKeys = Effect.fn("keys list")(function* () {
  const keys = yield* ApiKeys
  const output = yield* Output
  const organizations = yield* (yield* Installation).organizations
  const listed = yield* Effect.forEach(organizations, (organization) =>
    Effect.map(keys.all(organization.id), (owned) => ({ organization, owned })),
  )
  yield* output.result(
    { data: listed.flatMap(({ owned }) => owned.map(wireKey)) },
    listed.length === 0
      ? "There is no organization yet. Create one: footfall-server init --help"
      : listed
          .flatMap(({ organization, owned }) => [
            `${organization.name}  ${organization.id}  ${organization.status}`,
            ...owned.map(
              (key) => `  ${key.id}  ${key.prefix}…${key.last4}  ${stateOf(key)}  ${key.name}`,
            ),
          ])
          .join("\n"),
  )
})

export const revokeKey = Effect.fn("keys revoke")(function* (apiKeyId: string) {
  const keys = yield* ApiKeys
  const output = yield* Output
  yield* keys.revokeAny(apiKeyId)
  yield* output.result(
    { id: apiKeyId, revoked: true },
    `Revoked ${apiKeyId}. Running servers reject it within 5 seconds.`,
  )
})

const stateOf = (key: ApiKey): string => (key.revokedAt === null ? "active " : "revoked")

const wireKey = ({ createdText: _, ...key }: ApiKey) => key
