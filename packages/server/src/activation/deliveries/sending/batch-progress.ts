// The state of a batch's contacts (spec 2.16, 8.4). It can be stored in parts, at any time: each part is taken once and
// contains what settled since the previous one.
import type { PlannedContact, PresentContact } from "../plan.ts"
import type {
  AttemptError,
  BatchNews,
  FailedContact,
  FailedTry,
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

export class BatchProgress {
  sent: Array<SentContact> = []
  skipped: Array<PlannedContact> = []
  failed: Array<FailedContact> = []
  /** Attempts at unsettled contacts. */
  readonly open = new Map<PlannedContact, number>()
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
  #spent: Array<FailedContact> = []
  /** The failed attempts of unsettled contacts. */
  readonly #tries = new Map<PlannedContact, Array<FailedTry>>()
  #contacts = 0

  /** `streak`: the state after the previous batch. */
  constructor(contacts: ReadonlyArray<PlannedContact>, streak: Streak) {
    this.streak = streak
    for (const contact of contacts) this.open.set(contact, contact.attempts)
  }

  get isWhole(): boolean {
    return this.open.size === 0
  }

  /** Contacts settled since the last part. */
  get settled(): number {
    return this.sent.length + this.skipped.length + this.failed.length
  }

  get hasNews(): boolean {
    return this.settled > 0 || this.lastError !== undefined || this.failedAttempts > 0
  }

  /** What to store now; the rest becomes another part. */
  take(): BatchNews {
    const { attemptError, failed, failedAttempts, failedSinceSent, lastError } = this
    const { open, sent, skipped, streak } = this
    const attempts = new Map([...open].map(([{ place }, made]) => [place, made] as const))
    this.sent = []
    this.skipped = []
    this.failed = []
    this.failedSinceSent = 0
    this.lastError = undefined
    this.failedAttempts = 0
    this.attemptError = undefined
    this.isTaken = this.isWhole
    const errors = { failedSinceSent, lastError, failedAttempts, attemptError }
    return { sent, skipped, failed, attempts, ...errors, streak }
  }

  skip(contact: PlannedContact): void {
    this.open.delete(contact)
    this.skipped.push(contact)
  }

  /** Records which contacts will be sent; shares refer to their number. */
  begin(contacts: ReadonlyArray<PresentContact>): void {
    this.#contacts = contacts.length
  }

  /** The number of the attempt about to be made. */
  attempt(contact: PresentContact, now: number): number {
    this.begunAt ??= now
    const attempt = this.open.get(contact)! + 1
    this.open.set(contact, attempt)
    return attempt
  }

  /** Records an attempt's result. `tries`: the contact's attempts in this batch. Returns true if it will be retried. */
  record(contact: PresentContact, outcome: ContactOutcome, tries: number, at: number): boolean {
    if (outcome.type !== "sent" && outcome.type !== "skipped") {
      this.failedAttempts += 1
      this.attemptError = outcome.error
    }
    switch (outcome.type) {
      case "sent":
        this.open.delete(contact)
        this.#tries.delete(contact)
        this.sent.push({
          contact,
          contentHash: outcome.contentHash,
          atProvider: outcome.atProvider,
        })
        this.streak = { code: null, count: 0 }
        this.failedSinceSent = 0
        this.failedAttempts = 0
        this.attemptError = undefined
        return false
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

  #failureOf(contact: PresentContact, error: AttemptError, at: number): FailedContact {
    const tries = this.#note(contact, { error, at })
    this.#tries.delete(contact)
    return { contact, error, attempts: this.open.get(contact)!, tries, lastAttemptAt: at }
  }

  #note(contact: PresentContact, failed: FailedTry): ReadonlyArray<FailedTry> {
    const noted = this.#tries.get(contact) ?? []
    noted.push(failed)
    this.#tries.set(contact, noted)
    return noted
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

  /** A reason to end the delivery takes precedence over a reason to postpone it. */
  #halt(halt: Halt): void {
    if (this.halt === undefined || (this.halt.type === "parked" && halt.type === "stopped")) {
      this.halt = halt
    }
  }
}
