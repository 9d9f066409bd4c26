// The wire contract of connected accounts and mailing lists (spec 5.11).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { memberGroup } from "../../../access/groups.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { Deleted } from "../../../access/organizations/api.ts"
import { AddressRateLimited } from "../../../platform/http/rate-limit.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  InternalError,
  NotFound,
  ServiceUnavailable,
} from "../../../platform/http/errors.ts"
import { BodyOptional } from "../../../platform/http/json-body.ts"
import { noFields } from "../../../platform/http/fields.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { MailingList } from "../connectors/mailing-list.ts"
import { destinationsLimit } from "../destination.ts"
import { AppSlug, ConnectedAccount, Integration, NewAccount } from "./account.ts"
import { AccountCheck, Certificate } from "./certificate.ts"

const path = "/v1/intent/integrations"
const id = Schema.String.check(Schema.isUUID())

const AccountAnswer = Schema.Struct({
  data: Schema.Struct({ account: ConnectedAccount }),
  meta: Meta,
}).annotate({ identifier: "ConnectedAccountAnswer" })

const CertificateAnswer = Schema.Struct({
  data: Schema.Struct({ certificate: Certificate }),
  meta: Meta,
}).annotate({ identifier: "CertificateAnswer" })

const AccountList = Schema.Struct({
  data: Schema.Struct({ accounts: Schema.Array(ConnectedAccount) }),
  meta: Meta,
}).annotate({ identifier: "ConnectedAccountList" })

const IntegrationList = Schema.Struct({
  data: Schema.Struct({ integrations: Schema.Array(Integration) }),
  meta: Meta,
}).annotate({ identifier: "IntegrationList" })

const MailingListList = Schema.Struct({
  data: Schema.Struct({ lists: Schema.Array(MailingList) }),
  meta: Meta,
}).annotate({ identifier: "MailingListList" })

export class IntegrationsApi extends HttpApiGroup.make("integrations")
  .annotate(OpenApi.Title, "Connected accounts")
  .add(
    HttpApiEndpoint.get("list", path, { success: IntegrationList }),
    HttpApiEndpoint.get("lists", `${path}/:appSlug/lists`, {
      params: { appSlug: AppSlug },
      query: { connectedAccountId: id },
      success: MailingListList,
      error: [BadRequest, NotFound, Conflict, InternalError, ServiceUnavailable],
    }),
    HttpApiEndpoint.get("readableLists", `${path}/:appSlug/readable-lists`, {
      params: { appSlug: AppSlug },
      query: { connectedAccountId: id },
      success: MailingListList,
      error: [BadRequest, NotFound, Conflict, InternalError, ServiceUnavailable],
    }),
    HttpApiEndpoint.get("accounts", `${path}/accounts`, {
      success: AccountList,
    }),
    HttpApiEndpoint.post("connect", `${path}/accounts`, {
      payload: NewAccount,
      success: AccountAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, InternalError, ServiceUnavailable],
    }),
    HttpApiEndpoint.post("check", `${path}/accounts/:id/check`, {
      params: { id },
      payload: noFields,
      success: AccountAnswer,
      error: [BadRequest, NotFound, ServiceUnavailable],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.post("certify", `${path}/accounts/:id/certify`, {
      params: { id },
      payload: AccountCheck,
      success: CertificateAnswer,
      error: [BadRequest, NotFound, Conflict, InternalError, ServiceUnavailable],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.delete("disconnect", `${path}/accounts/:id`, {
      params: { id },
      payload: noFields,
      success: Deleted,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(BodyOptional, true),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RoleRequired, "member")
  .annotate(AddressRateLimited, destinationsLimit)
  .pipe(memberGroup) {}
