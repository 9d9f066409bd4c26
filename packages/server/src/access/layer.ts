// Wires the access room together. Later rooms react to an organization's status (OrganizationStanding).
import { Layer } from "effect"
import { ApiKeys } from "./api-keys.ts"
import { Audit } from "./audit/audit.ts"
import { AuditLogHandlers } from "./audit/handlers.ts"
import { AuditStore } from "./audit/store.ts"
import { Installation } from "./installation.ts"
import { ApiKeysHandlers } from "./keys/handlers.ts"
import { Members } from "./members/members.ts"
import { Invitations } from "./members/invitations.ts"
import { Memberships } from "./members/memberships.ts"
import { MemberStore } from "./members/store.ts"
import { Notices } from "./notices.ts"
import { OrganizationsHandlers } from "./organizations/handlers.ts"
import { Organizations } from "./organizations/organizations.ts"
import { OrganizationStore } from "./organizations/store.ts"
import { RepeatStore } from "./repeats/store.ts"
import { AuthHandlers } from "./sign-in/handlers.ts"
import { DeviceLoginsHandlers } from "./sign-in/device/handlers.ts"
import { DeviceLogins } from "./sign-in/device/device-logins.ts"
import { DeviceLoginStore } from "./sign-in/device/store.ts"
import { ExternalSignIn } from "./sign-in/external/external-sign-in.ts"
import { IssuerClient } from "./sign-in/external/issuer-client.ts"
import { PasswordTurns } from "./password.ts"
import { PasswordsHandlers } from "./sign-in/passwords/handlers.ts"
import { Passwords } from "./sign-in/passwords/passwords.ts"
import { PasswordStore } from "./sign-in/passwords/store.ts"
import { SignIn } from "./sign-in/sign-in.ts"
import { SignInStore } from "./sign-in/store.ts"
import { AccessStore } from "./store.ts"
import { AccessTokens } from "./tokens/access-tokens.ts"
import { ExternalKeys } from "./tokens/external-keys.ts"

/** The stores of this room. */
export const AccessStores = Layer.mergeAll(
  AccessStore.layer,
  AuditStore.layer,
  DeviceLoginStore.layer,
  MemberStore.layer,
  OrganizationStore.layer,
  PasswordStore.layer,
  RepeatStore.layer,
  SignInStore.layer,
)

export const AccessServices = Installation.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ApiKeys.layer,
      DeviceLogins.layer,
      Layer.provide(ExternalSignIn.layer, IssuerClient.layer),
      Members.layer,
      Notices.layer,
      Organizations.layer,
      Passwords.layer,
    ),
  ),
  Layer.provideMerge(Layer.provideMerge(SignIn.layer, PasswordTurns.layer)),
  Layer.provideMerge(
    Layer.mergeAll(Memberships.layer, Layer.provide(AccessTokens.layer, ExternalKeys.layer)),
  ),
  Layer.provideMerge(Invitations.layer),
  Layer.provideMerge(Audit.layer),
)

/** The endpoints of this room. */
export const AccessHandlers = Layer.mergeAll(
  ApiKeysHandlers,
  AuditLogHandlers,
  AuthHandlers,
  DeviceLoginsHandlers,
  OrganizationsHandlers,
  PasswordsHandlers,
)
