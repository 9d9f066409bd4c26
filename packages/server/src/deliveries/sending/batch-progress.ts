// What has become of the contacts of one batch so far (decisions.md 2.16, 8.4). It is written down as a
// whole or in part, at any moment: whoever is interrupted acknowledges what is in here.
import type { AttemptError, Halt, Outcome } from "./outcome.ts"
import type { PlannedContact, PresentContact } from "./planned-contact.ts"

/** Contacts in a row that failed for good with the same code. decisions.md 8.4. */
export const streakMax = 10
/** From so many contacts on, more than half that failed transiently concern the endpoint. decisions.md 13. */
const shareContactsMin = 10
/** decisions.md 8.4, 10.3. */
export const contactAttemptsMax = 3

export interface Streak {
  readonly code: string | null
  readonly count: number
}

/** decisions.md 8.4. `statusCode`: the last one's. */
export const consecutiveErrors = ({ code, count }: Streak, statusCode: number | null): Halt => ({
  type: "stopped",
  error: {
    code: "CONSECUTIVE_ERRORS",
    message: `${count} contacts in a row failed with ${code}.`,
    statusCode,
  },
})

export interface FailedContact {
  readonly contact: PresentContact
  readonly error: AttemptError
  readonly attempts: number
  /** Milliseconds. */
  readonly lastAttemptAt: number
}

export class BatchProgress {
  readonly sent: Array<PresentContact> = []
  readonly skipped: Array<PlannedContact> = []
  readonly failed: Array<FailedContact> = []
  /** Attempts of what is not settled. */
  readonly open = new Map<PlannedContact, number>()
  /** Set once: nothing more is sent then. */
  halt: Halt | undefined
  streak: Streak
  failedSinceSent = 0
  lastError: AttemptError | undefined
  /** Attempts used up, and not yet counted as failed. */
  #spent: Array<FailedContact> = []
  #contacts = 0

  /** `streak`: at the end of what came before. */
  constructor(contacts: ReadonlyArray<PlannedContact>, streak: Streak) {
    this.streak = streak
    for (const contact of contacts) this.open.set(contact, contact.attempts)
  }

  get isWhole(): boolean {
    return this.open.size === 0
  }

  get hasNews(): boolean {
    return (
      this.sent.length + this.skipped.length + this.failed.length > 0 || this.halt !== undefined
    )
  }

  skip(contact: PlannedContact): void {
    this.open.delete(contact)
    this.skipped.push(contact)
  }

  /** Those that are to be sent are known; a share is one of these. */
  begin(contacts: ReadonlyArray<PresentContact>): void {
    this.#contacts = contacts.length
  }

  /** The number of an attempt that is about to be made. */
  attempt(contact: PresentContact): number {
    const attempt = this.open.get(contact)! + 1
    this.open.set(contact, attempt)
    return attempt
  }

  /**
   * Takes down what an attempt came to. `tries`: attempts of the contact in this batch. True: it is to be
   * tried again.
   */
  record(contact: PresentContact, outcome: Outcome, tries: number, at: number): boolean {
    switch (outcome.type) {
      case "sent":
        this.open.delete(contact)
        this.sent.push(contact)
        this.streak = { code: null, count: 0 }
        this.failedSinceSent = 0
        return false
      case "refused":
        this.#fail(this.#failureOf(contact, outcome.error, at))
        this.#countRefusal(outcome.error)
        return false
      case "transient":
        if (tries < contactAttemptsMax) return true
        this.#spent.push(this.#failureOf(contact, outcome.error, at))
        this.streak = { code: null, count: 0 }
        this.#haltOnShare(outcome.error)
        return false
      case "parked":
      case "stopped":
        this.lastError = outcome.error
        this.#halt(outcome)
        return false
    }
  }

  /** No more attempts are made: those that used theirs up have failed, unless the endpoint has. */
  end(): void {
    if (!this.#isShareExceeded()) for (const failure of this.#spent) this.#fail(failure)
    this.#spent = []
  }

  #failureOf(contact: PresentContact, error: AttemptError, at: number): FailedContact {
    return { contact, error, attempts: this.open.get(contact)!, lastAttemptAt: at }
  }

  #fail(failure: FailedContact): void {
    this.open.delete(failure.contact)
    this.failed.push(failure)
    this.failedSinceSent += 1
    this.lastError = failure.error
  }

  #countRefusal(error: AttemptError): void {
    const count = this.streak.code === error.code ? this.streak.count + 1 : 1
    this.streak = { code: error.code, count }
    if (count < streakMax) return
    this.#halt(consecutiveErrors(this.streak, error.statusCode))
  }

  #isShareExceeded(): boolean {
    return this.#contacts >= shareContactsMin && this.#spent.length > this.#contacts / 2
  }

  #haltOnShare(error: AttemptError): void {
    if (!this.#isShareExceeded()) return
    this.lastError = error
    this.#halt({ type: "parked", error, retryAfterSeconds: null })
  }

  /** What ends the delivery counts more than what puts it off. */
  #halt(halt: Halt): void {
    if (this.halt === undefined || (this.halt.type === "parked" && halt.type === "stopped")) {
      this.halt = halt
    }
  }
}
