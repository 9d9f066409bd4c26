// The checks every request passes, in the order of spec 1.4.10, by who may use a group of endpoints. Limit and role are
// annotations of the group or endpoint. Middleware is listed from the inside out.
import { Layer } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { PublicCache } from "../platform/http/public-cache.ts"
import { AddressRateLimit, PublicRateLimit, RateLimit } from "../platform/http/rate-limit.ts"
import { JsonBody } from "../platform/http/json-body.ts"
import { RequestErrors } from "../platform/http/request-errors.ts"
import {
  ApiKeyAuthentication,
  BearerAuthentication,
  EitherAuthentication,
  OrganizationActive,
  WritesNeedMember,
} from "./authentication.ts"
import { Repeats } from "./repeats/repeats.ts"
import { OptionalAuthentication } from "./optional-authentication.ts"

type Group<
  Id extends string,
  Endpoints extends HttpApiEndpoint.Constraint,
> = HttpApiGroup.HttpApiGroup<Id, Endpoints>

/** For an API key or a console session. */ // K of spec 5, spec 17.1.5
export const keyGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>,
) =>
  allowed(group.annotate(WritesNeedMember, true))
    .middleware(ApiKeyAuthentication)
    .middleware(AddressRateLimit)

/** Only for a member's access token. */ // B of spec 5
export const memberGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>,
) => allowed(group).middleware(BearerAuthentication).middleware(AddressRateLimit)

/** For either. */ // BK of spec 5
export const eitherGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>,
) => allowed(group).middleware(EitherAuthentication).middleware(AddressRateLimit)

/** With or without credentials. */ // PUB of spec 5
export const publicGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>,
) =>
  group
    .middleware(RequestErrors)
    .middleware(JsonBody)
    .middleware(PublicRateLimit)
    .middleware(OptionalAuthentication)

const allowed = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>,
) =>
  group
    .middleware(RequestErrors)
    .middleware(JsonBody)
    .middleware(OrganizationActive)
    .middleware(RateLimit)

// Organizations, members and API keys share one limit per user (spec 10.2).
export const accessLimit = { name: "organizations", limit: 60 }

/** Every check that an endpoint may name. */
export const Checks = Layer.mergeAll(
  AddressRateLimit.layer,
  ApiKeyAuthentication.layer,
  BearerAuthentication.layer,
  EitherAuthentication.layer,
  OptionalAuthentication.layer,
  OrganizationActive.layer,
  JsonBody.layer,
  PublicCache.layer,
  PublicRateLimit.layer,
  RateLimit.layer,
  Repeats.layer,
  RequestErrors.layer,
)
