// The state of a batch's contacts (spec 2.16, 8.4). It can be stored in parts, at any time: each part is taken once and
// contains what settled since the previous one.
import type { Asked, PlannedContact, PresentContact } from "../plan.ts"
import type {
  AttemptError,
  BatchNews,
  FailedContact,
  FailedTry,
  LeftContact,
  SentContact,
  Streak,
} from "../delivery-work.ts"
import type { ContactOutcome, Halt } from "./outcome.ts"

/** Consecutive contacts that failed permanently with the same code. */ // spec 8.4
export const streakMax = 10
/** From this many contacts on, transient failures of more than half count as the endpoint's. spec 8.4.3. */
const shareContactsMin = 10
// spec 8.4, 10.3
export const contactAttemptsMax = 3

/** `statusCode`: that of the last contact. */ // spec 8.4
export const consecutiveErrors = ({ code, count }: Streak, statusCode: number | null): Halt => ({
  type: "stopped",
  error: {
    code: "CONSECUTIVE_ERRORS",
    message: `${count} consecutive contacts failed with ${code}.`,
    statusCode,
  },
})

export class BatchProgress<
  Planned extends Asked = PlannedContact,
  Contact extends Planned = PresentContact & Planned,
> {
  sent: Array<SentContact<Contact>> = []
  left: Array<LeftContact<Contact>> = []
  skipped: Array<Planned> = []
  failed: Array<FailedContact<Contact>> = []
  /** Attempts at unsettled contacts. */
  readonly open = new Map<Planned, number>()
  /** Why the delivery stops. Set once; nothing more is sent after that. */
  halt: Halt | undefined
  streak: Streak
  failedSinceSent = 0
  lastError: AttemptError | undefined
  failedAttempts = 0
  attemptError: AttemptError | undefined
  /** Time of the first attempt. Units: milliseconds. */
  begunAt: number | undefined
  /** Whether the last part was taken. */
  isTaken = false
  /** Contacts without attempts left that are not counted as failed yet. */
  #spent: Array<FailedContact<Contact>> = []
  /** The failed attempts of unsettled contacts. */
  readonly #tries = new Map<Planned, Array<FailedTry>>()
  #contacts = 0

  /** `streak`: the state after the previous batch. */
  constructor(contacts: ReadonlyArray<Planned>, streak: Streak) {
    this.streak = streak
    for (const contact of contacts) this.open.set(contact, contact.attempts)
  }

  get isWhole(): boolean {
    return this.open.size === 0
  }

  /** Contacts settled since the last part. */
  get settled(): number {
    return this.sent.length + this.left.length + this.skipped.length + this.failed.length
  }

  get hasNews(): boolean {
    return this.settled > 0 || this.lastError !== undefined || this.failedAttempts > 0
  }

  /** What to store now; the rest becomes another part. */
  take(): BatchNews<Contact, Planned> {
    const { attemptError, failed, failedAttempts, failedSinceSent, lastError } = this
    const { left, open, sent, skipped, streak } = this
    const attempts = new Map([...open].map(([{ place }, made]) => [place, made] as const))
    this.sent = []
    this.left = []
    this.skipped = []
    this.failed = []
    this.failedSinceSent = 0
    this.lastError = undefined
    this.failedAttempts = 0
    this.attemptError = undefined
    this.isTaken = this.isWhole
    const errors = { failedSinceSent, lastError, failedAttempts, attemptError }
    return { sent, left, skipped, failed, attempts, ...errors, streak }
  }

  skip(contact: Planned): void {
    this.open.delete(contact)
    this.skipped.push(contact)
  }

  /** Records which contacts will be sent; shares refer to their number. */
  begin(contacts: ReadonlyArray<Contact>): void {
    this.#contacts = contacts.length
  }

  /** The number of the attempt about to be made. */
  attempt(contact: Contact, now: number): number {
    this.begunAt ??= now
    const attempt = this.open.get(contact)! + 1
    this.open.set(contact, attempt)
    return attempt
  }

  /** Records an attempt's result. `tries`: the contact's attempts in this batch. Returns true if it will be retried. */
  record(contact: Contact, outcome: ContactOutcome, tries: number, at: number): boolean {
    if ("error" in outcome) {
      this.failedAttempts += 1
      this.attemptError = outcome.error
    }
    switch (outcome.type) {
      case "sent":
        this.sent.push({
          contact,
          contentHash: outcome.contentHash,
          atProvider: outcome.atProvider,
        })
        this.#succeeded(contact)
        return false
      case "left": {
        const { formerStatus, isOff, isRemoved } = outcome
        this.left.push({ contact, formerStatus, isOff, isRemoved })
        this.#succeeded(contact)
        return false
      }
      case "skipped":
        this.#tries.delete(contact)
        this.skip(contact)
        return false
      case "refused":
        this.#fail(this.#failureOf(contact, outcome.error, at))
        this.#countRefusal(outcome.error)
        return false
      case "transient":
        if (tries < contactAttemptsMax) {
          this.#note(contact, { error: outcome.error, at })
          return true
        }
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

  /** Ends the batch: contacts without attempts left have failed, unless the endpoint itself failed. */
  end(): void {
    if (!this.#isShareExceeded()) for (const failure of this.#spent) this.#fail(failure)
    this.#spent = []
  }

  #succeeded(contact: Contact): void {
    this.open.delete(contact)
    this.#tries.delete(contact)
    this.streak = { code: null, count: 0 }
    this.failedSinceSent = 0
    this.failedAttempts = 0
    this.attemptError = undefined
  }

  #failureOf(contact: Contact, error: AttemptError, at: number): FailedContact<Contact> {
    const tries = this.#note(contact, { error, at })
    this.#tries.delete(contact)
    return { contact, error, attempts: this.open.get(contact)!, tries, lastAttemptAt: at }
  }

  #note(contact: Contact, failed: FailedTry): ReadonlyArray<FailedTry> {
    const noted = this.#tries.get(contact) ?? []
    noted.push(failed)
    this.#tries.set(contact, noted)
    return noted
  }

  #fail(failure: FailedContact<Contact>): void {
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

  /** A reason to end the delivery takes precedence over a reason to postpone it. */
  #halt(halt: Halt): void {
    if (this.halt === undefined || (this.halt.type === "parked" && halt.type === "stopped")) {
      this.halt = halt
    }
  }
}
