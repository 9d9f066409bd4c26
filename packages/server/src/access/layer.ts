// The room over its stores. What follows the status of an organization later rooms know (OrganizationStanding).
import { Layer } from "effect"
import { ApiKeys } from "./api-keys.ts"
import { Audit } from "./audit/audit.ts"
import { AuditStore } from "./audit/store.ts"
import { Installation } from "./installation.ts"
import { ApiKeysHandlers } from "./keys/handlers.ts"
import { Members } from "./members/members.ts"
import { Memberships } from "./members/memberships.ts"
import { MemberStore } from "./members/store.ts"
import { Notices } from "./notices/notices.ts"
import { OrganizationsHandlers } from "./organizations/handlers.ts"
import { Organizations } from "./organizations/organizations.ts"
import { OrganizationStore } from "./organizations/store.ts"
import { AuthHandlers } from "./sign-in/handlers.ts"
import { SignIn } from "./sign-in/sign-in.ts"
import { SignInStore } from "./sign-in/store.ts"
import { AccessStore } from "./store.ts"
import { AccessTokens } from "./tokens/access-tokens.ts"
import { ExternalKeys } from "./tokens/external-keys.ts"

/** The rows of the room. */
export const AccessStores = Layer.mergeAll(
  AccessStore.layer,
  AuditStore.layer,
  MemberStore.layer,
  OrganizationStore.layer,
  SignInStore.layer,
)

export const AccessServices = Installation.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(ApiKeys.layer, Members.layer, Notices.layer, Organizations.layer, SignIn.layer),
  ),
  Layer.provideMerge(
    Layer.mergeAll(
      Audit.layer,
      Memberships.layer,
      Layer.provide(AccessTokens.layer, ExternalKeys.layer),
    ),
  ),
)

/** Its endpoints. */
export const AccessHandlers = Layer.mergeAll(ApiKeysHandlers, AuthHandlers, OrganizationsHandlers)
