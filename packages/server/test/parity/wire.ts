// The server's contract as types: the input and output of every endpoint on the wire. Derived from `Api`, so a new
// endpoint is compared automatically.
import type { DateTime } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "../../src/app/api.ts"

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type NameIn<Group> = Group extends { readonly identifier: infer Id extends string }
  ? `${Id}.${HttpApiEndpoint.Identifier<HttpApiGroup.Endpoints<Group>>}`
  : never

/** Every endpoint as `group.endpoint`. */
export type EndpointName = NameIn<Groups>

type Endpoint<Name> = Name extends `${infer Group}.${infer Id}`
  ? HttpApiEndpoint.WithIdentifier<
      HttpApiGroup.Endpoints<HttpApiGroup.WithIdentifier<Groups, Group>>,
      Id
    >
  : never

// Decoded, because encoded they are any JSON or any text to the compiler.
export type Answer<Name> = Read<HttpApiEndpoint.Success<Endpoint<Name>>>
export type Body<Name> = Read<HttpApiEndpoint.Payload<Endpoint<Name>>>
export type Query<Name> = Read<HttpApiEndpoint.Query<Endpoint<Name>>>

type Read<Schema> = [Schema] extends [never]
  ? Record<never, never>
  : Schema extends { readonly Type: infer Value }
    ? Named<Value>
    : never

/** Without the index that means "no other parameter". */
type Named<T> = T extends unknown ? { [K in keyof T as string extends K ? never : K]: T[K] } : never

/**
 * Only the members, whether declared in one interface or inherited, and whether or not `undefined` was allowed besides
 * absence, which JSON does not distinguish. A rule is any JSON until it is parsed, and is compared in rules.test.ts.
 */
export type Flat<T> = [T] extends [Scalar]
  ? T
  : T extends DateTime.DateTime
    ? string
    : T extends Scalar
      ? T
      : T extends ReadonlyArray<infer Item>
        ? ReadonlyArray<Flat<Item>>
        : { readonly [K in keyof T as Sendable<T, K>]: Member<K, Exclude<T[K], undefined>> }
type Member<K, Value> = K extends "ruleAst" ? "a rule" : Flat<Value>
/** A member that only excludes another one is never sent. */
type Sendable<T, K extends keyof T> = [Exclude<T[K], undefined>] extends [never] ? never : K
type Scalar = string | number | boolean | null | undefined

/** All members, even those that cannot be combined: the server refuses what the SDK's types cannot express. */
export type Merged<T> = { readonly [K in keyof T | Keys<T>]?: Values<T, K> }
type Keys<T> = T extends unknown ? keyof T : never
type Values<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never

/** Whether two types are equal, in both directions. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
