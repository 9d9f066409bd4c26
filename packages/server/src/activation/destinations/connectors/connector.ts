// The interface to a service that receives contacts, like a mailing list provider or a CRM: one file of this folder
// implements it for each (CONTRIBUTING, "Add a connector"). A connector keeps no state, never retries, and may be asked
// to repeat anything.
import { Effect, type Semaphore } from "effect"
import type { AutomationConfig, NewContactStatus, OnLeave } from "./automation-config.ts"
import type { ConnectorError, NotNoted, WritingError } from "./connector-error.ts"
import type { ListContact } from "./list-contact.ts"
import type { MailingList } from "./mailing-list.ts"
import type { Pace } from "./pacing.ts"
import type { PeopleReader } from "./people-reading.ts"
import type { FailedAnswer, ProviderApi } from "./provider-api.ts"

/** Everything that an account's credentials can have. */ // spec 2.17.3
export const credentialNames = ["apiKey", "username", "baseUrl"] as const
export type CredentialName = (typeof credentialNames)[number]

/** One field of the form that connects an account. */
export interface CredentialField {
  readonly name: CredentialName
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
}

export interface Credentials {
  readonly apiKey: string
  readonly username: string | null
}

/** What a destination's configuration may ask of the service. */ // spec 2.15.8
export interface Abilities {
  readonly newContactStatus: ReadonlyArray<NewContactStatus>
  readonly hasTags: boolean
  /** What may happen to people who leave the audience; `keep` is always one. */
  readonly onLeave: ReadonlyArray<OnLeave>
  /** Whether the service deletes a person on request. */
  readonly canErase: boolean
}

/**
 * What a connector found before it asks for a change, stored before that request. So a repeat after a crash, or after a
 * lost answer, knows its own work from that of others.
 */
export interface Notes {
  /** These people are not on the list, and the next request puts them there. Fails if someone must not be put there. */
  adding(emails: ReadonlyArray<string>): Effect.Effect<void, NotNoted>
  /** These people are on the list with these statuses, by address, and the next request takes them off. */
  removing(statuses: ReadonlyMap<string, string>): Effect.Effect<void, NotNoted>
}

/** Where contacts are written. */
export interface ListTarget {
  readonly list: MailingList
  readonly config: AutomationConfig
  /** Marks the contacts of the audience where the service has tags. */
  readonly managedTag: string
  /** Ids that a connector looked up, by name. It begins empty for each claim of a delivery. */
  readonly lookedUp: Map<string, number>
  /** One permit: what is looked up and created if it is missing must be created once. */
  readonly lookingUp: Semaphore.Semaphore
  readonly notes: Notes
}

/** Someone at the service. */
export interface ListMember {
  readonly email: string
  /** The service's id, if an earlier delivery learned it. */
  readonly remoteId: string | null
}

/** Someone to be written. */
export interface WrittenMember extends ListMember, ListContact {
  /** The status they had when this destination removed them; null if it didn't. They get it back. */
  readonly formerStatus: string | null
}

export type MemberOutcome =
  /** `isAdded`: this request put them on the list, so the destination may remove them. */
  | { readonly type: "written"; readonly isAdded: boolean; readonly remoteId: string | null }
  /** The service keeps them as they are, because they refused. */
  | { readonly type: "skipped" }
  | { readonly type: "failed"; readonly error: ConnectorError }

export const written = (isAdded: boolean, remoteId: string | null = null): MemberOutcome => ({
  type: "written",
  isAdded,
  remoteId,
})
export const skipped: MemberOutcome = { type: "skipped" }
export const failed = (error: ConnectorError) => ({ type: "failed", error }) as const

/** `erase`: deletes the person at the service. */
export type Removal = "remove_tag" | "remove_from_list" | "erase"

export type RemovalOutcome =
  /** `formerStatus`: what they get back if they qualify again. */
  | { readonly type: "removed"; readonly formerStatus: string | null }
  /** There is nothing to remove, perhaps because an earlier request did. */
  | { readonly type: "absent" }
  /** They unsubscribed or bounced: removing them would make the service forget that. */
  | { readonly type: "kept" }
  | { readonly type: "failed"; readonly error: ConnectorError }

export const removed = (formerStatus: string | null = null): RemovalOutcome => ({
  type: "removed",
  formerStatus,
})
export const absent: RemovalOutcome = { type: "absent" }
export const kept: RemovalOutcome = { type: "kept" }

/** The status of someone on a list that has no statuses. */
export const onList = "on the list"

/** One answer for each member, in order. An error concerns all of them. */
export type ForEach<Member, Outcome, Rest extends ReadonlyArray<unknown> = []> = (
  api: ProviderApi,
  target: ListTarget,
  members: ReadonlyArray<Member>,
  ...rest: Rest
) => Effect.Effect<ReadonlyArray<Outcome>, WritingError>

/**
 * What a check of a service with an account of the owner's own needs besides writing and removing: one person's status,
 * someone who refuses, and a list that is made for it.
 */ // spec 2.17.17
export interface Trial {
  /** The status on the list, in words that change when it does; null for someone who isn't on it. */
  status(
    api: ProviderApi,
    target: ListTarget,
    email: string,
  ): Effect.Effect<string | null, ConnectorError>
  /** Whether no one is on the list. Undefined: the people of the list are read. */
  readonly isEmpty?: (api: ProviderApi, listId: string) => Effect.Effect<boolean, ConnectorError>
  /** Unsubscribes someone. Undefined: a list of the service knows no refusals. */
  readonly refuse?: (
    api: ProviderApi,
    target: ListTarget,
    email: string,
  ) => Effect.Effect<void, ConnectorError>
  /** Undefined: its API makes no list, or can't delete one. */
  readonly lists?: {
    /** Returns the id. */
    create(api: ProviderApi, name: string): Effect.Effect<string, ConnectorError>
    delete(api: ProviderApi, listId: string): Effect.Effect<void, ConnectorError>
  }
}

export interface Connector {
  readonly appName: string
  readonly credentials: ReadonlyArray<CredentialField>
  /** What every key looks like, if `origin` needs it. */
  readonly keyForm?: { readonly pattern: RegExp; readonly expected: string }
  /** The service's own origin, without a path; undefined if the account's `baseUrl` has to say. */
  readonly origin: (apiKey: string) => string | undefined
  /** The path of its API, which a `baseUrl` may leave out. */
  readonly apiPath: string
  readonly headers: (credentials: Credentials) => Readonly<Record<string, string>>
  readonly abilities: Abilities
  readonly pace: Pace
  /** The most members that one call of `upsert` or `remove` is given. */
  readonly membersMax: number
  /** The headers that say how long to wait after a 429, in seconds or as a date. */
  readonly retryAfterHeaders: ReadonlyArray<string>
  /** What a failed answer means, if it differs from the usual meaning of its status. */
  readonly errorOf?: (answer: FailedAnswer) => ConnectorError | undefined
  /** One request that shows whether the credentials work. */
  probe(api: ProviderApi): Effect.Effect<void, ConnectorError>
  /** The lists that can be written, in the service's order. */
  lists(api: ProviderApi): Effect.Effect<ReadonlyArray<MailingList>, ConnectorError>
  /** One list with its fields. Fails with ListGone. */
  list(api: ProviderApi, listId: string): Effect.Effect<MailingList, ConnectorError>
  /** Reads who is there, for suppression sources. Undefined: people of the service can't be read. */
  readonly people?: PeopleReader
  /** For a check with the owner's own account. Undefined: a service that reads no one can't be checked. */
  readonly trial?: Trial
  /**
   * Writes contacts by address. Whoever is not on the list is noted before the request that puts them there.
   *
   * *Guarantee*: whoever unsubscribed, bounced, is pending or was removed by the service keeps that status.
   */
  readonly upsert: ForEach<WrittenMember, MemberOutcome>
  /** Whoever is on the list is noted before the request that takes them off, unless they are erased. */
  readonly remove: ForEach<ListMember, RemovalOutcome, [how: Removal]>
}

/** For a service that takes one contact a request: `membersMax` is 1. */
export const oneByOne =
  <Member, Outcome, Rest extends ReadonlyArray<unknown> = []>(
    one: (
      api: ProviderApi,
      target: ListTarget,
      member: Member,
      ...rest: Rest
    ) => Effect.Effect<Outcome, WritingError>,
  ): ForEach<Member, Outcome, Rest> =>
  (api, target, members, ...rest) =>
    Effect.forEach(members, (member) => one(api, target, member, ...rest))

/** The fields of a form whose service needs a key only. */
export const keyFields = (hint: string, baseUrlHint: string): Connector["credentials"] => [
  { name: "apiKey", label: "API key", hint, isRequired: true },
  { name: "baseUrl", label: "API URL", hint: baseUrlHint, isRequired: false },
]

export const usualBaseUrl = "Leave empty for the service's own URL."
