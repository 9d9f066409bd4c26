// What the tests of all connectors need of a double: an account, a list, and the people at the service with the status
// that each has on the list. `Person.status` is in the service's own words.
import type { Service } from "./service.ts"

export interface Person {
  readonly email: string
  /** On the list of the test; null if they are not on it. */
  readonly status: string | null
  readonly fields: Readonly<Record<string, unknown>>
  readonly tags: ReadonlyArray<string>
}

export interface Double extends Service {
  /** Of an account, without `baseUrl`. */
  readonly credentials: Readonly<Record<string, string>>
  /** A list that takes contacts, without double opt-in. */
  readonly listId: string
  /** A mapping of the service's own names, one of them to a number. */
  readonly fieldMapping: Readonly<Record<string, string>>
  /** What the first name and the score of a person become. */
  readonly fieldsOf: (firstName: string, score: number) => Readonly<Record<string, unknown>>
  /** The status that a new contact gets. */
  readonly newStatus: string | null
  /** Statuses of people who are on the list, or were, and that must not change. */
  readonly refusing: ReadonlyArray<string>
  /** The status of someone who may be removed. */
  readonly removable: string | null
  readonly canRemoveFromList: boolean
  readonly hasTags: boolean
  readonly canErase: boolean
  /** Someone who is at the service already, with this status on the list. */
  put(email: string, status: string | null): void
  /** Deletes someone, where pages of people are asked for by their place. */
  forget?(email: string): void
  /** Everyone at the service. */
  people(): ReadonlyArray<Person>
  /** Statuses of people who refused mail: the rest of those on the list allow it, or never said. */
  readonly refused: ReadonlyArray<string>
  /** The service refuses addresses that begin with this, for good. */
  readonly refusedPrefix: string
  /** Accepts another key from now on. */
  revoke(): void
  /** Deletes the list. Undefined: the service has lists that can't be deleted. */
  readonly deleteList?: () => void
  /** The header and value by which the service asks to wait so many seconds after a 429; none if it has no such. */
  readonly wait?: (seconds: number) => Readonly<Record<string, string>>
}
