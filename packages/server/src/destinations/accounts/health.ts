// How a probe changes an account: the transitions of spec 4.5, including "two in a row". Pure.
import type { MailerError } from "../mailer/mailer-error.ts"
import type { AccountStatus } from "./account.ts"

export interface Health {
  readonly status: AccountStatus
  /** Consecutive probes answered with 401 or 403. */
  readonly refusals: number
}

/** `failed`: anything neither good nor refused, including no response. */
export type ProbeOutcome = "good" | "refused" | "failed"

/** Consecutive refusals that disconnect an account. */
const refusalsMax = 2

export const outcomeOf = (error: MailerError): ProbeOutcome =>
  error._tag === "CredentialsRefused" ? "refused" : "failed"

/** A disconnected account only recovers with a good probe, which only a user requests. */
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
