// What a check of a service with an account of the owner's own needs besides writing and removing (spec 2.17.17): one
// person's status, someone who refuses, and a list that is made for it.
import type { Effect } from "effect"
import type { ListTarget } from "./connector.ts"
import type { ConnectorError } from "./connector-error.ts"
import type { ProviderApi } from "./provider-api.ts"

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
