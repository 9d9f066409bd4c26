// What an API key may do (spec 7.1): its scopes, its sites and its networks. Each operation that a key may call declares
// the scope it needs and how it is limited to sites, beside its role.
import { Context, Effect, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { canonicalNetwork, parseNetwork } from "../platform/http/client-address.ts"
import { refuse } from "../platform/http/errors.ts"

/** What an operation may need. A key with `all` has every one. */
export const scopes = [
  "visitors:read",
  "visitors:write",
  "suppression:read",
  "suppression:write",
  "intent:read",
  "intent:write",
  "destinations:write",
  "imports:write",
] as const
export const Scope = Schema.Literals(scopes)
export type Scope = typeof Scope.Type
export const keyScopes = ["all", ...scopes] as const
export const KeyScope = Schema.Literals(keyScopes)
export type KeyScope = typeof KeyScope.Type

export interface KeyRights {
  readonly scopes: ReadonlyArray<KeyScope>
  /** Null: every site. */
  readonly pixelIds: ReadonlyArray<string> | null
  /** Null: every network. */
  readonly allowedNetworks: ReadonlyArray<string> | null
}

/** Annotation: the scopes of a group's operations, by whether the method is GET. */
export class ScopesRequired extends Context.Service<
  ScopesRequired,
  { readonly read: Scope | null; readonly write: Scope | null }
>()("@footfall/server/access/ScopesRequired") {}

/** Annotation: the scope of an endpoint, if it is not that of its group. Null: any valid key may call it. */
export class ScopeRequired extends Context.Service<
  ScopeRequired,
  { readonly scope: Scope | null }
>()("@footfall/server/access/ScopeRequired") {}

/** Annotation: what a group's operations need besides, by the value of a path parameter. */
export class ScopeBeside extends Context.Service<
  ScopeBeside,
  { readonly parameter: string; readonly scopes: ReadonlyMap<string, Scope> }
>()("@footfall/server/access/ScopeBeside") {}

/**
 * Annotation: how an endpoint or group is limited to the sites of a key. Without it, a key with sites can't call it.
 * - `handler`: it reads or writes the caller's sites alone
 * - `site`, `person`, `company`: its parameter `id`, `visitorId` or `domain` names one that the key may see
 * - `organization`: it says nothing about a site
 */
export class OfSites extends Context.Service<
  OfSites,
  "handler" | "site" | "person" | "company" | "organization"
>()("@footfall/server/access/OfSites") {}

/** Whether sites have seen a person or a company. A later room knows. */
export class SeenOnSites extends Context.Service<
  SeenOnSites,
  {
    person(
      organizationId: string,
      visitorId: string,
      pixelIds: ReadonlyArray<string>,
    ): Effect.Effect<boolean>
    company(
      organizationId: string,
      domain: string,
      pixelIds: ReadonlyArray<string>,
    ): Effect.Effect<boolean>
  }
>()("@footfall/server/access/SeenOnSites") {}

interface Annotated {
  readonly annotations: Context.Context<never>
}

/** Undefined: it declares none, so only a key with `all` may call it. */
export const scopeOf = (
  endpoint: Annotated & { readonly method: string },
  group: Annotated,
): Scope | null | undefined => {
  const own = Context.getOrUndefined(endpoint.annotations, ScopeRequired)
  if (own !== undefined) return own.scope
  const ofGroup = Context.getOrUndefined(group.annotations, ScopesRequired)
  return endpoint.method === "GET" ? ofGroup?.read : ofGroup?.write
}

/** Fails with the 403 for a key without the scope that a group's operation needs besides. */
export const requireScopeBeside = (rights: KeyRights, group: Annotated) => {
  const beside = Context.getOrUndefined(group.annotations, ScopeBeside)
  return beside === undefined
    ? Effect.void
    : Effect.flatMap(HttpRouter.RouteContext, ({ params }) => {
        const value = new Map(Object.entries(params)).get(beside.parameter)
        const scope = beside.scopes.get(value ?? "")
        // Another value is a 404 or 400 later.
        return scope === undefined ? Effect.void : requireScope(rights, scope)
      })
}

const hasScope = (rights: KeyRights | undefined, scope: Scope): boolean =>
  rights === undefined || rights.scopes.includes("all") || rights.scopes.includes(scope)

/** Fails with the 403 for a key without the scope. Tokens have none to miss. */
export const requireScope = (rights: KeyRights | undefined, scope: Scope | undefined) =>
  rights === undefined ||
  (scope === undefined ? rights.scopes.includes("all") : hasScope(rights, scope))
    ? Effect.void
    : refuse({
        code: "SCOPE_MISSING",
        message: `This API key lacks the scope ${scope ?? "all"}. It has: ${rights.scopes.join(", ")}. Use a key with that scope, or create one.`,
        details: { scope: scope ?? "all" },
      })

/** Undefined: a key with sites can't call the operation. */
export const sitesRule = (endpoint: Annotated, group: Annotated): OfSites["Service"] | undefined =>
  Context.getOrUndefined(endpoint.annotations, OfSites) ??
  Context.getOrUndefined(group.annotations, OfSites)

interface SiteCaller {
  readonly organizationId: string
  readonly pixelIds: ReadonlyArray<string>
}

/**
 * Whether the request is about what the caller's sites have seen. Fails with the 403 for an operation that can't be
 * limited to sites.
 */
export const isForSites = (
  seen: SeenOnSites["Service"],
  rule: OfSites["Service"] | undefined,
  { organizationId, pixelIds }: SiteCaller,
) =>
  Effect.gen(function* () {
    if (rule === undefined) return yield* notForSiteKeys
    if (rule === "handler" || rule === "organization") return true
    const { params } = yield* HttpRouter.RouteContext
    switch (rule) {
      case "site":
        // The request is for a new site.
        if (params["id"] === undefined) return yield* notForSiteKeys
        return pixelIds.includes(params["id"].toLowerCase())
      case "person":
        return yield* seen.person(organizationId, params["visitorId"] ?? "", pixelIds)
      case "company":
        return yield* seen.company(organizationId, params["domain"] ?? "", pixelIds)
    }
  })

export const notForSiteKeys = refuse({
  code: "NOT_FOR_SITE_KEYS",
  message:
    "This API key is for certain sites, and this request concerns the whole organization. Use a key without sites.",
})

/** A network in one form: its first address, and IPv4 where IPv6 only wraps it. Undefined if it is none. */
export const readNetwork = (text: string): string | undefined => {
  try {
    return canonicalNetwork(parseNetwork(text.trim()))
  } catch {
    return undefined
  }
}
