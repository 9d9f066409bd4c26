// The wire contract of organizations and their members (spec 5.13). The path must name the token's own organization;
// any other is not found (spec 7.3.4).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessLimit, memberGroup } from "../groups.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { AnswersSecret, idempotencyHeaders, Repeats } from "../repeats/repeats.ts"
import { described, noFields, requestText } from "../../platform/http/fields.ts"
import { Meta } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  TooManyRequests,
} from "../../platform/http/errors.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { lenient } from "../../platform/http/contract.ts"
import { RoleRequired } from "../authentication.ts"
import { Member, OrganizationSettingsPatch, OrganizationWire } from "./organization-wire.ts"
import { Role } from "../role.ts"
import { TimeZone } from "../time-zone.ts"
import { userEmail } from "../user-email.ts"

export const Deleted = Schema.Struct({
  data: Schema.Struct({ deleted: Schema.Literal(true) }),
  meta: Meta,
}).annotate({ identifier: "Deleted" })

export const OrganizationList = Schema.Struct({
  data: Schema.Array(OrganizationWire),
  meta: listMeta,
}).annotate({ identifier: "OrganizationList" })

const OrganizationAnswer = Schema.Struct({ data: OrganizationWire, meta: Meta }).annotate({
  identifier: "OrganizationAnswer",
})

const MemberList = Schema.Struct({ data: Schema.Array(Member), meta: listMeta }).annotate({
  identifier: "MemberList",
})

const MemberAnswer = Schema.Struct({ data: Member, meta: Meta }).annotate({
  identifier: "MemberAnswer",
})

export const AddedMember = Schema.Struct({
  data: Schema.Struct({
    member: Member,
    inviteToken: Schema.NullOr(Schema.String),
    emailSent: Schema.Boolean,
  }),
  meta: Meta,
}).annotate({ identifier: "AddedMember" })

const Uuid = Schema.String.check(Schema.isUUID())
const organizationName = described(
  "1 to 160 characters.",
  requestText({ lengthMin: 1, lengthMax: 160 }),
)
const slug = described(
  "Unique short name: 3 to 63 characters of `a-z`, `0-9` and hyphen.",
  Schema.Trim.check(
    Schema.isPattern(/^[a-z0-9-]{3,63}$/, {
      expected: "3 to 63 characters of a-z, 0-9 and hyphen",
    }),
  ),
)
const email = described(
  "Email address of the person to invite.",
  Schema.Trim.check(
    Schema.makeFilter((text: string) => userEmail(text) !== undefined, {
      expected: "an email address",
    }),
  ),
)
const role = described(
  "What the member is allowed to do. Only an owner can grant or remove `owner`.",
  Role,
)

const one = { id: Uuid }
const oneMember = { id: Uuid, userId: Uuid }

export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .annotate(OpenApi.Title, "Organizations")
  .add(
    HttpApiEndpoint.get("list", "/v1/organizations", {
      query: listParameters(pageSizeMax),
      success: OrganizationList,
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", "/v1/organizations", {
      headers: idempotencyHeaders,
      payload: Schema.Struct({ name: organizationName, slug }).annotate({
        identifier: "NewOrganization",
      }),
      success: OrganizationAnswer.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).middleware(Repeats),
    HttpApiEndpoint.get("get", "/v1/organizations/:id", {
      params: one,
      success: OrganizationAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", "/v1/organizations/:id", {
      params: one,
      payload: Schema.Struct({
        name: Schema.optionalKey(organizationName),
        timeZone: described(
          "IANA time zone whose days the organization counts in, such as `Europe/Berlin`. Default `UTC`.",
          Schema.optionalKey(TimeZone),
        ),
        settings: described(
          "Settings you leave out stay the same.",
          Schema.optionalKey(OrganizationSettingsPatch),
        ),
      }).annotate({ identifier: "OrganizationChange" }),
      success: OrganizationAnswer,
      error: NotFound,
    }).annotate(RoleRequired, "admin"),
    HttpApiEndpoint.get("listMembers", "/v1/organizations/:id/members", {
      params: one,
      query: listParameters(pageSizeMax),
      success: MemberList,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "admin"),
    HttpApiEndpoint.post("addMember", "/v1/organizations/:id/members", {
      params: one,
      headers: idempotencyHeaders,
      payload: Schema.Struct({ email, role }),
      success: AddedMember.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Forbidden, NotFound, TooManyRequests],
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats)
      .annotate(RoleRequired, "admin"),
    HttpApiEndpoint.post("inviteMember", "/v1/organizations/:id/members/:userId/invitation", {
      params: oneMember,
      headers: idempotencyHeaders,
      payload: noFields,
      success: AddedMember.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Forbidden, NotFound, TooManyRequests],
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats)
      .annotate(RoleRequired, "admin")
      .annotate(BodyOptional, true),
    HttpApiEndpoint.patch("updateMember", "/v1/organizations/:id/members/:userId", {
      params: oneMember,
      payload: Schema.Struct({ role }),
      success: MemberAnswer,
      error: [Conflict, Forbidden, NotFound],
    }).annotate(RoleRequired, "admin"),
    HttpApiEndpoint.delete("removeMember", "/v1/organizations/:id/members/:userId", {
      params: oneMember,
      success: Deleted,
      error: [Conflict, Forbidden, NotFound],
    }).annotate(RoleRequired, "admin"),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RateLimited, accessLimit)
  .pipe(memberGroup) {}
