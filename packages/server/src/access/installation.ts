// Creates the first organization of an installation (spec 1.1): the operator organization with its owner and first API
// key, all or nothing. A second call changes nothing.
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiKeys } from "./api-keys.ts"
import { Audit } from "./audit/audit.ts"
import { slugOf } from "./organization.ts"
import { hashPassword, makePassword } from "./password.ts"
import { OrganizationStore } from "./organizations/store.ts"
import { AccessStore } from "./store.ts"
import { typedEmail } from "./user-email.ts"

export class AlreadyInstalled extends Schema.TaggedError<AlreadyInstalled>()("AlreadyInstalled", {
  organizationId: Schema.String,
  name: Schema.String,
}) {
  override get message(): string {
    return `This server already has an organization: ${this.name} (${this.organizationId}). Nothing was changed.`
  }
}

export interface Installed {
  readonly organizationId: string
  readonly apiKey: Redacted.Redacted
  readonly owner: {
    readonly userId: string
    readonly email: string
    readonly password: Redacted.Redacted
  }
}

export class Installation extends Context.Service<
  Installation,
  {
    /** The installation's organizations, oldest first; empty before the first start. */
    readonly organizations: OrganizationStore["Service"]["all"]
    /** Fails with AlreadyInstalled if any organization exists. Generates a password if none is given. */
    create(options: {
      readonly organizationName: string
      readonly email: string
      readonly password?: Redacted.Redacted | undefined
    }): Effect.Effect<Installed, AlreadyInstalled>
  }
>()("@footfall/server/access/Installation") {
  static readonly layer = Layer.effect(
    Installation,
    Effect.gen(function* () {
      const store = yield* AccessStore
      const random = yield* SecureRandom.SecureRandom
      const keys = yield* ApiKeys
      const audit = yield* Audit
      const { all } = yield* OrganizationStore

      const create = Effect.fn("Installation.create")(function* (options: {
        readonly organizationName: string
        readonly email: string
        readonly password?: Redacted.Redacted | undefined
      }) {
        const password = options.password ?? makePassword()
        const passwordHash = yield* Effect.promise(() => hashPassword(password))
        const organizationId = yield* random.uuidV4()
        const userId = yield* random.uuidV4()
        const email = typedEmail(options.email)
        const insert = Effect.gen(function* () {
          yield* store.lockFirstStart
          const [existing] = yield* all
          if (existing !== undefined) {
            return yield* new AlreadyInstalled({
              organizationId: existing.id,
              name: existing.name,
            })
          }
          const name = options.organizationName
          yield* store.insertOperator(
            { id: organizationId, name, slug: slugOf(name) },
            { id: userId, email, passwordHash },
          )
          const actor = { type: "operator" } as const
          yield* audit.record({ organizationId, actor }, "organization.created", null)
          // The first key can't exceed a limit.
          return yield* Effect.orDie(keys.create({ organizationId, name: "First key", actor }))
        })
        const { secret } = yield* store.transaction(insert)
        return { organizationId, apiKey: secret, owner: { userId, email, password } }
      })

      return Installation.of({ organizations: all, create })
    }),
  )
}
