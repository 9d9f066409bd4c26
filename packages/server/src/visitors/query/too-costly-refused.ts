// The wire error of a rule that took too long, or did not get its turn (decisions.md 5, standard errors).
import { refuse } from "../../http/errors.ts"
import type { QueryTooCostly } from "./rule-turns.ts"

export const tooCostlyRefused = ({ reason }: QueryTooCostly) =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message:
      reason === "time"
        ? "The rule took longer than a request may; ask for a shorter window or a simpler rule."
        : "Too many rules are being worked at; try again soon.",
  })
