// What a probe makes of an account: the transitions of spec 4.5, and "two in a row" of
// spec 4.5. Pure.
import type { MailerError } from "../mailer/mailer-error.ts"
import type { AccountStatus } from "./account.ts"

export interface Health {
  readonly status: AccountStatus
  /** Probes in a row that were answered with 401 or 403. */
  readonly refusals: number
}

/** `failed`: everything that is neither good nor refused, no answer included. */
export type ProbeOutcome = "good" | "refused" | "failed"

/** Refusals in a row that end a connection. */
const refusalsMax = 2

export const outcomeOf = (error: MailerError): ProbeOutcome =>
  error._tag === "CredentialsRefused" ? "refused" : "failed"

/** A disconnected account comes back with a good probe only, which no one but a user asks for. */
export const afterProbe = ({ refusals, status }: Health, outcome: ProbeOutcome): Health => {
  switch (outcome) {
    case "good":
      return { status: "healthy", refusals: 0 }
    case "failed":
      return { status: status === "disconnected" ? status : "unhealthy", refusals: 0 }
    case "refused": {
      const inRow = refusals + 1
      const isOver = status === "disconnected" || inRow >= refusalsMax
      return { status: isOver ? "disconnected" : "unhealthy", refusals: inRow }
    }
  }
}
